// Package tools holds Plumbline's MCP tools, one a file: its definition, its typed
// input and output, and its handler. The server package serves them; nothing here
// knows a transport.
package tools

// Deps are what the tools need from the process they run in.
type Deps struct {
	// Roots are the directories that a `path` may lie in; nil for none.
	Roots *Roots
	// Ledger keeps the contracts; nil for none.
	Ledger *Store
}

// everyone may scan, and read the standard and how the work stands.
var everyone = Roles

// judges hold work to a contract, and owners may do all.
var (
	judges = []Role{Judge, Owner}
	owners = []Role{Owner}
)

// table is the list of all tools: name, who may call it, how it is made.
var table = []struct {
	name  string
	roles []Role
	make  func(name string, deps Deps) Tool
}{
	{"scan_openapi", everyone, newScanOpenAPI},
	{"scan_mcp_tools", everyone, newScanMCPTools},
	{"validate_contract", everyone, newValidateContract},
	{"register_contract", owners, newRegisterContract},
	{"render_brief", everyone, newRenderBrief},
	{"check_done", everyone, newCheckDone},
	{"check_round", judges, newCheckRound},
	{"chain_status", everyone, newChainStatus},
}

// All makes every tool.
func All(deps Deps) []Tool {
	all := make([]Tool, len(table))
	for i, row := range table {
		all[i] = row.make(row.name, deps)
		all[i].Roles = row.roles
	}
	return all
}
