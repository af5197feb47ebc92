package mcplist

// Limits that tests go up to and beyond.
const (
	MaxTools  = maxTools
	MaxScopes = maxScopes
)
