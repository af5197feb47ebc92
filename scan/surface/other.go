package surface

import "slices"

// Other is a kind of document that is neither an OpenAPI description nor a tool list but
// lies where those do. A key of its root tells it.
type Other struct {
	Key  string
	What string // as in "not a tool list but …"
	Hint string // what to do with it
}

// LikeLists are documents that have tools as a list has. Their key alone tells them: they
// must not be taken for the tools that they name.
var LikeLists = []Other{
	{"agentready_version", "an agentready.json export", "scan the document that it was made from"},
	{"plumbline_lock", "a lock of MCP tools", "give it as --lock FILE with the list that it locks, and name files so that no glob takes it in"},
}

// Others are all such documents, of which the ones that are not among LikeLists are told
// by their key where nothing tells a description or a list.
var Others = slices.Concat(LikeLists, []Other{
	{"mcpServers", "a client's list of servers", "ask its servers with `plumbline scan mcp --config FILE`, or give what one answers to tools/list"},
	{"revisions", "a chain of revisions and rounds", "`plumbline chain verify FILE` reads it"},
	{"aac", "an acceptance contract", "`plumbline contract validate FILE` reads it"},
	{"agc", "a judge's round", "`plumbline round check FILE` reads it"},
	{"done", "a done report", "`plumbline done check FILE` reads it"},
	{"runs", "a SARIF log", "scan the document that it is about"},
	{"min_score", "a policy of scans", policyHint},
	{"fail_on", "a policy of scans", policyHint},
	{"max_tokens", "a policy of scans", policyHint},
	{"waivers", "a policy of scans", policyHint},
})

const policyHint = "give it as --policy FILE with the document that it is for"
