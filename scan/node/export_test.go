package node

// Limits that tests go up to and beyond.
const (
	MaxJSONBytes  = maxJSONBytes
	MaxJSONDepth  = maxJSONDepth
	MaxJSONValues = maxJSONValues
)
