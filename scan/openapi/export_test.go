package openapi

// Limits that tests go up to and beyond.
const (
	MaxJSONMemory = maxJSONMemory
	MaxJSONDepth  = maxJSONDepth
	MaxYAMLBytes  = maxYAMLBytes
	MaxYAMLMarks  = maxYAMLMarks
	MaxFlowMarks  = maxFlowMarks
	MaxFileBytes  = maxFileBytes
)
