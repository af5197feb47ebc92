package schema

// Limits that tests go up to and beyond.
const (
	MaxDepth       = maxDepth
	MaxComposition = maxComposition
	MaxFields      = maxFields
)
