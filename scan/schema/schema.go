// Package schema flattens a JSON Schema (as OpenAPI and MCP use it) into the
// fields of the surface model.
package schema
