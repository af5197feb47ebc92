// Package surface is the model between the readers and the rules: what an agent
// is offered by one document, whether that document is an OpenAPI description or
// an MCP tool list. The readers (scan/openapi, scan/mcplist) fill it, the engine
// (scan) reads it; nothing here knows a format or a rule.
package surface

// Kind says what sort of document a surface was read from. Its values are the
// `source_type` values of agentready.json.
type Kind string

// The two kinds of source.
const (
	OpenAPI Kind = "openapi"
	MCP     Kind = "mcp"
)

// MethodMCP is the method of every MCP tool, as agentready.json names it.
const MethodMCP = "MCP_TOOL"

// Document is everything that one file or argument offers to an agent.
type Document struct {
	Kind Kind
	// Name is the source name: a file's base name, or what the caller gave.
	Name string
	// Title is the API's title, or the MCP server's name; empty where none is given.
	Title string
	Tools []*Tool
	// Notes say what the reader could not follow or had to cut, in reading order.
	// Beyond MaxNotes the last says how many there are.
	Notes []Note
	// Partial is true where tools are known to exist that could not be read: a list
	// that stops at a cursor, a path item in another file.
	Partial bool
}

// Note is one remark of a reader about the document: what happened and what to do.
type Note struct {
	Text string
	Pos  Position
}

// Position is a place in a document. Line and Column are 1-based, columns count
// characters; zero means unknown.
type Position struct {
	// File is empty for the scanned document itself, else the path, under the
	// root, of the referenced file.
	File    string
	Pointer string // JSON Pointer (RFC 6901) within File
	Line    int
	Column  int
}

// Text is a string of the document with the place it stands at.
type Text struct {
	Value string
	Pos   Position
}

// Tool is one OpenAPI operation or MCP tool.
type Tool struct {
	// ID is unique in the document: the name, else method and path as words.
	ID string
	// Name is the explicit operationId or tool name; its Value is empty where the
	// document gives none.
	Name Text
	// Title is an MCP tool's title; empty otherwise.
	Title Text
	// Method is the HTTP method in upper case, or MethodMCP.
	Method string
	// Path is the path template as written, or mcp://tools/<name>.
	Path        string
	Summary     Text
	Description Text
	// Pos is the method's key (OpenAPI) or the tool object (MCP).
	Pos Position
	// PutOnPath is true where the same path has a PUT, which can bring back what the
	// tool takes away; false for an MCP tool.
	PutOnPath bool
	// Fields are the request fields at any depth, in document order: parameters
	// first, then the body, an object's field before its children.
	Fields []*Field
	// Input is what the tool declares of its input as a whole.
	Input Input
	// Responses are in document order. An MCP tool with an outputSchema has one.
	Responses []Response
	Security  Security
	// Annotations are an MCP tool's hints; all nil where none are given.
	Annotations Annotations
	// Incomplete lists the reasons (none for a whole reading) why parts of the tool could
	// not be read: an unresolved reference, a budget that ran out. Beyond MaxReasons
	// the last says how many there are. A tool with any is never reported as clean.
	Incomplete []Note
	// Fingerprint is "sha256:" and 12 hex digits over the canonical definition and
	// everything it references; it changes whenever the meaning does.
	Fingerprint string
	// DefinitionBytes is the size of that canonical text in bytes.
	DefinitionBytes int
}

// Input is what a tool declares of its input as a whole.
type Input struct {
	// Declared is true where an MCP tool has an inputSchema (an empty one too), or
	// an operation a body or a parameter.
	Declared bool
	// Properties counts the fields at the top level.
	Properties int
	// Closed is true where additionalProperties is false.
	Closed bool
	// HasRequired is true where the schema has a `required` list with an entry.
	HasRequired bool
	// Texts are the titles and descriptions of the input as a whole.
	Texts []Text
	Pos   Position
}

// Field is one request or response field.
type Field struct {
	Name string
	// Path is the dotted way from the root of its part ("refund.items[].amount").
	Path string
	// Parent is the Path of the enclosing object; empty at the top.
	Parent string
	// In is path, query, header, cookie, body, formData or input for requests,
	// response for responses.
	In       string
	Depth    int // 1 at the top
	Required bool
	Pos      Position // the property's key, or the parameter object
	*Schema
}

// Schema is what a field's schema says of its values. It is shared by all fields
// that refer to the same schema and must not be changed after reading.
type Schema struct {
	Types       []string // JSON Schema types, sorted; empty where none is given; "null" is left out
	Format      string
	Title       Text
	Description Text
	// Enum are the values of enum, as text, in order.
	Enum []Text
	// Texts are further titles and descriptions that an agent reads with the value:
	// of its items, of alternatives, of parts it is composed of.
	Texts      []Text
	HasEnum    bool
	HasConst   bool
	HasPattern bool
	HasDefault bool
	ReadOnly   bool
	// HasLower and HasUpper say that a numeric bound is declared, inclusive or not.
	HasLower, HasUpper bool
}

// Response is one documented answer.
type Response struct {
	// Status is "200", "4XX", "default"; "result" for an MCP tool's outputSchema.
	Status      string
	Description Text
	HasSchema   bool
	// IsArray: the body is an array. HasArray: it is an object with an array property.
	// IsObject: it is an object.
	IsArray, HasArray, IsObject bool
	// Fields are the answer's own fields and those of its list items, not those of
	// another resource nested in it.
	Fields  []*Field
	Headers []string
	// Texts are the titles and descriptions of the body's schema.
	Texts []Text
	Pos   Position
}

// Security is what protects a tool, after inheritance.
type Security struct {
	// Effective is true where a caller must authenticate: every alternative names a
	// scheme. Declared but unused schemes do not count.
	Effective bool
	// Scopes are all scopes and permissions named, in document order.
	Scopes []string
	Pos    Position
}

// Annotations are those MCP tool hints that rules ask for; nil means not given.
type Annotations struct {
	ReadOnly, Destructive       *bool
	ReadOnlyPos, DestructivePos Position
}
