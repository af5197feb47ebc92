package tools

// Parts of the schemas that the contract tools share. Every byte of a definition costs
// every agent at every start: see scan_schema.go.

const (
	pathProperty       = `"path": {"type": "string", "maxLength": 4096, "description": "Its file under the server's roots"}`
	contractProperty   = `"contract": {"type": ["object", "string"], "description": "The contract inline: object or JSON text"}`
	contractIDProperty = `"contract_id": {"type": "string", "maxLength": 128, "description": "A registered contract"}`
	recordProperty     = `"record": {"type": "boolean", "description": "true writes it to the ledger; false only checks"}`
	submissionProperty = `"submission": {"type": "string", "maxLength": 128, "description": "Your key for this attempt, required to record; a retry repeats it"}`

	aboutRequired   = `"valid", "contract_id", "revision", "fingerprint", "sha256", "errors", "warnings"`
	problemList     = `{"type": "array", "items": {"type": "object"}}`
	labelProperties = `"contract_id": {"type": "string"}, "revision": {"type": "integer"}, "fingerprint": {"type": "string"}, "sha256": {"type": "string"}`
	aboutProperties = `"valid": {"type": "boolean"}, ` + labelProperties + `, "errors": ` + problemList + `, "warnings": ` + problemList + `, "omitted": {"type": "object"}`

	recordingProperties = `"next": {"type": "array"}, "receipt": {"type": "object"}, "recorded": {"type": "boolean"}, "repeated": {"type": "boolean"}`
)
