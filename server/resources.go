package server

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/contract/ledger"
	"github.com/plumbline-mcp/plumbline/scan"
	"github.com/plumbline-mcp/plumbline/scan/agentready"
	"github.com/plumbline-mcp/plumbline/tools"
)

const (
	mimeJSON      = "application/json"
	rulesURI      = "plumbline://rules"
	schemasURI    = "plumbline://schemas/"
	contractsURI  = "plumbline://contracts/"
	chainPart     = "chain"
	gatePart      = "gate"
	revisionsPart = "revisions"
	encodedID     = "In an id, / is written %2F."
)

// fixedResources are those that need no ledger.
func fixedResources() []mcpserver.ServerResource {
	list := []mcpserver.ServerResource{{
		Resource: mcp.NewResource(rulesURI, "rules", mcp.WithResourceTitle("Rules"), mcp.WithMIMEType(mimeJSON),
			mcp.WithResourceDescription("Every rule of the scan and every code of contracts, with what it means.")),
		Handler: fixed(rulesText),
	}}
	for _, name := range schemaNames() {
		list = append(list, mcpserver.ServerResource{
			Resource: mcp.NewResource(schemasURI+name, "schema_"+name, mcp.WithResourceTitle("JSON Schema: "+name), mcp.WithMIMEType(mimeJSON),
				mcp.WithResourceDescription("The JSON Schema of "+schemaOf[name]+".")),
			Handler: fixed(func() ([]byte, error) { return schemaText(name) }),
		})
	}
	return list
}

// schemaOf says what each schema is of.
var schemaOf = map[string]string{
	"agentready":            "the export of a scan, agentready.json",
	"policy":                "a scan's policy file, " + scan.PolicyName,
	contract.SchemaContract: "an acceptance contract",
	contract.SchemaRound:    "a judge's round",
	contract.SchemaChain:    "a chain of revisions and rounds",
	contract.SchemaDone:     "a builder's done report",
}

func schemaNames() []string {
	return append([]string{"agentready", "policy"}, contract.SchemaNames()...)
}

func schemaText(name string) ([]byte, error) {
	switch name {
	case "agentready":
		return agentready.Schema(), nil
	case "policy":
		return scan.PolicySchema(), nil
	}
	text, ok := contract.Schema(name)
	if !ok {
		return nil, errors.New("no such schema")
	}
	return text, nil
}

func rulesText() ([]byte, error) {
	type row struct {
		Code     contract.Code     `json:"code"`
		Severity contract.Severity `json:"severity"`
		Meaning  string            `json:"meaning"`
	}
	rows := []row{}
	for _, r := range contract.Rules() {
		rows = append(rows, row(r))
	}
	return json.Marshal(map[string]any{"agentready": scan.Rules(), "aac": rows})
}

func fixed(text func() ([]byte, error)) mcpserver.ResourceHandlerFunc {
	return func(_ context.Context, req mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
		data, err := text()
		if err != nil {
			return nil, err
		}
		return contents(req.Params.URI, data), nil
	}
}

// contents gives data byte for byte: as text where it is text, else encoded.
func contents(uri string, data []byte) []mcp.ResourceContents {
	if !utf8.Valid(data) {
		return []mcp.ResourceContents{mcp.BlobResourceContents{URI: uri, MIMEType: mimeJSON, Blob: base64.StdEncoding.EncodeToString(data)}}
	}
	return []mcp.ResourceContents{mcp.TextResourceContents{URI: uri, MIMEType: mimeJSON, Text: string(data)}}
}

// contractResources are the contracts of a ledger as resources.
type contractResources struct{ store *tools.Store }

// templates have no URI in common: {id} matches no "/".
func (r contractResources) templates() []mcpserver.ServerResourceTemplate {
	template := func(uri, name, title, description string) mcpserver.ServerResourceTemplate {
		return mcpserver.ServerResourceTemplate{
			Template: mcp.NewResourceTemplate(uri, name, mcp.WithTemplateTitle(title), mcp.WithTemplateMIMEType(mimeJSON), mcp.WithTemplateDescription(description+" "+encodedID)),
			Handler:  r.read,
		}
	}
	return []mcpserver.ServerResourceTemplate{
		template(contractsURI+"{id}", "contract", "Contract", "The registered bytes of a contract's newest revision."),
		template(contractsURI+"{id}/revisions/{n}", "contract_revision", "Contract revision", "The registered bytes of one revision."),
		template(contractsURI+"{id}/chain", "contract_chain", "Contract chain", "All revisions and rounds of a contract; for a builder only the findings against criteria."),
		template(contractsURI+"{id}/gate", "contract_gate", "Contract gate", "Whether the work is reported done and passed, and every reason why not."),
		template(contractsURI+"{id}/gate/{commit}", "contract_gate_of", "Contract gate of a commit", "The gate, for a commit that report and round must both name, percent-encoded."),
	}
}

// contractRef is what a URI below contractsURI names.
type contractRef struct {
	id       string
	revision int64  // 0 for the newest
	part     string // chain or gate; empty for the contract itself
	subject  string // of the gate; empty for any
}

// parseContractURI reads a URI as it was sent: what the engine matches by a template
// it decodes, and then "a%2Fchain" is no other than "a/chain".
func parseContractURI(uri string) (ref contractRef, ok bool) {
	rest, ok := strings.CutPrefix(uri, contractsURI)
	if !ok {
		return ref, false
	}
	parts := strings.Split(rest, "/")
	id, err := url.PathUnescape(parts[0])
	if err != nil || id == "" {
		return ref, false
	}
	ref.id = id
	switch {
	case len(parts) == 1:
		return ref, true
	case len(parts) == 2 && (parts[1] == chainPart || parts[1] == gatePart):
		ref.part = parts[1]
		return ref, true
	case len(parts) == 3 && parts[1] == gatePart:
		ref.part = gatePart
		ref.subject, err = url.PathUnescape(parts[2])
		return ref, err == nil && ref.subject != ""
	case len(parts) == 3 && parts[1] == revisionsPart:
		ref.revision, err = strconv.ParseInt(parts[2], 10, 64)
		return ref, err == nil && ref.revision > 0 && strconv.FormatInt(ref.revision, 10) == parts[2]
	}
	return ref, false
}

func (r contractResources) read(ctx context.Context, req mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
	if _, known := tools.CallerFrom(ctx); !known {
		return nil, notThere(ctx, req.Params.URI)
	}
	data, err := ReadContract(ctx, r.store, req.Params.URI)
	switch {
	case err == nil:
		return contents(req.Params.URI, data), nil
	case slices.Contains(absences, codeOf(err, "")):
		return nil, notThere(ctx, req.Params.URI)
	}
	return nil, plain(err)
}

// absences are the codes of [ReadContract]'s errors that say that there is no such
// resource.
var absences = []tools.Code{outcomeNowhere, tools.UnknownContract, tools.UnknownRevision}

// notThere is the error of a resource that is none, or not the caller's to see, under the
// code that the client's protocol version has for it.
func notThere(ctx context.Context, uri string) error {
	code := mcp.RESOURCE_NOT_FOUND
	if isModern(ctx) {
		code = mcp.INVALID_PARAMS
	}
	return withCode(ctx, code, &plainError{fmt.Sprintf(notFoundText, uri), &tools.Error{Code: outcomeNowhere}})
}

// ReadContract gives a resource below plumbline://contracts/ as the context's caller may
// see it. Errors are *[tools.Error]s, *[ledger.Error]s, or the context's.
func ReadContract(ctx context.Context, store *tools.Store, uri string) ([]byte, error) {
	ref, ok := parseContractURI(uri)
	if !ok {
		return nil, &tools.Error{Code: outcomeNowhere, Message: "no such resource", Hint: "list the templates of resources"}
	}
	l, err := store.Ledger(ctx)
	if err != nil {
		return nil, err
	}
	switch ref.part {
	case gatePart:
		return gateText(ctx, l, ref)
	case chainPart:
		var text bytes.Buffer
		err := writeChain(ctx, l, ref.id, ledger.MaxAnswerBytes, &text)
		return text.Bytes(), err
	}
	found, err := l.Contract(ctx, ref.id, ref.revision)
	if err != nil {
		return nil, err
	}
	return found.Contract.Text, nil
}

// WriteChain writes a contract's chain, of any length, as the context's caller may see it.
// Errors are as those of [ReadContract], or of w.
func WriteChain(ctx context.Context, store *tools.Store, id string, w io.Writer) error {
	l, err := store.Ledger(ctx)
	if err != nil {
		return err
	}
	return writeChain(ctx, l, id, ledger.AnyLength, w)
}

func writeChain(ctx context.Context, l *ledger.Ledger, id string, most int64, w io.Writer) error {
	if caller, _ := tools.CallerFrom(ctx); tools.SeesExtensions(caller.Role) {
		return l.Export(ctx, id, most, w)
	}
	return l.ExportForBuilder(ctx, id, most, w)
}

func gateText(ctx context.Context, l *ledger.Ledger, ref contractRef) ([]byte, error) {
	answer, err := tools.AskGate(ctx, l, ref.id, ref.subject)
	if err != nil {
		return nil, err
	}
	tell(ctx, answer)
	return tools.Encode(answer)
}

// plainError says of an error what a client is told of it. The server's log has the rest.
type plainError struct {
	text string
	err  error
}

func (e *plainError) Error() string { return e.text }

func (e *plainError) Unwrap() error { return e.err }

// plain words an error without what is for the server's log alone.
func plain(err error) error {
	var le *ledger.Error
	var told *tools.Error
	switch {
	case errors.As(err, &told):
		return &plainError{told.Error(), err}
	case errors.As(err, &le):
		return &plainError{string(le.Code) + ": " + le.Message + " (" + le.Hint + ")", err}
	}
	return &plainError{"the server failed on this request", err}
}
