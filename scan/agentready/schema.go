package agentready

import (
	"bytes"
	_ "embed"
)

//go:embed schema/agentready.schema.json
var schema []byte

// Schema returns the JSON Schema (draft 2020-12) of agentready.json v0.1: the
// specification's required fields and enumerations, its compatibility fields and
// Plumbline's extensions. Members that it does not know are allowed, as other
// writers extend the format too. The caller owns the bytes.
func Schema() []byte { return bytes.Clone(schema) }
