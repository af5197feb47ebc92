// Package page shows the contracts of a ledger to people, as HTML that needs no script
// (design: Transports, Roles). What a page shows comes from package tools, cut by the
// caller's role there; texts of strangers stand in it as text only, with what cannot be
// seen written out, and cut where they are long.
package page

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"html/template"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/plumbline-mcp/plumbline/contract/ledger"
	"github.com/plumbline-mcp/plumbline/tools"
)

const (
	// Home is the path of the list of contracts.
	Home = "/"
	// Below is what the paths of all other pages begin with. An id is one segment, in
	// which / is written %2F.
	Below = "/contracts/"
	// StylePath is the path of the style sheet that [Style] gives.
	StylePath = "/page.css"
	// Policy is the content security policy under which the pages work: a browser runs
	// nothing, fetches the style sheet alone, and sends a form to this server alone.
	Policy = "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)

//go:embed html
var files embed.FS

var (
	templates = template.Must(template.ParseFS(files, "html/*.tmpl"))
	style     = mustRead("html/page.css")
)

func mustRead(name string) []byte {
	text, err := files.ReadFile(name)
	if err != nil {
		panic(err) // it is embedded
	}
	return text
}

// Style gives the style sheet.
func Style() []byte { return style }

// SlashHint says how the address of a contract's page is written.
const SlashHint = "In an address, each / of a contract's id is written %2F."

// UnknownPage is the code of the error that there is no page at an address.
const UnknownPage tools.Code = "UNKNOWN_PAGE"

func noPage() error {
	return &tools.Error{Code: UnknownPage, Message: "There is no page at this address.", Hint: "Begin with the list of all contracts. " + SlashHint}
}

// request is a page that is asked for.
type request struct {
	id    string // of the contract; empty for the list
	last  string // segment of the path
	query url.Values
}

// maker makes a page of what a ledger has.
type maker func(ctx context.Context, l *ledger.Ledger, r request) (view, error)

// pages are the pages about one contract, by the segment behind its id, with how many
// segments their paths have.
var pages = map[string]struct {
	segments int
	view     maker
}{
	"":          {1, contractView},
	"diff":      {2, diffView},
	"revisions": {3, revisionView},
}

// parse finds the page of an address; its maker is nil where there is none.
func parse(u *url.URL) (request, maker) {
	r := request{}
	path := u.EscapedPath()
	if path == Home {
		return r, listView
	}
	segments := strings.Split(strings.TrimPrefix(path, Below), "/")
	name := ""
	if len(segments) > 1 {
		name = segments[1]
	}
	page := pages[name]
	r.id, r.last = Contract(u), segments[len(segments)-1]
	if r.id == "" || page.segments != len(segments) {
		return r, nil
	}
	return r, page.view
}

// view is a page to be written: data for the template of that name.
type view struct {
	template string
	data     any
}

// Contract gives the id of the contract that the page at an address is about; empty for
// none.
func Contract(u *url.URL) string {
	segment, _, _ := strings.Cut(strings.TrimPrefix(u.EscapedPath(), Below), "/")
	id, err := url.PathUnescape(segment)
	if !strings.HasPrefix(u.EscapedPath(), Below) || err != nil {
		return ""
	}
	return id
}

// Read makes the page at an address as the context's caller may see it, of one moment of
// the ledger. The error is a *[tools.Error], a *[ledger.Error], or the context's.
func Read(ctx context.Context, store *tools.Store, u *url.URL) ([]byte, error) {
	r, makes := parse(u)
	if makes == nil {
		return nil, noPage()
	}
	query, err := parameters(u.RawQuery)
	if err != nil {
		return nil, err
	}
	r.query = query
	l, err := store.Ledger(ctx)
	if err != nil {
		return nil, err
	}
	var v view
	err = l.Snapshot(ctx, func(ctx context.Context, still *ledger.Ledger) (err error) {
		v, err = makes(ctx, still, r)
		return err
	})
	if err != nil {
		return nil, err
	}
	return v.write()
}

// Failed makes the page of an answer that is none of the others: what happened, and what
// to do next.
func Failed(title, message, hint string) []byte {
	text, err := view{"failed", failedPage{frame{Title: title}, sentence(message), sentence(hint)}}.write()
	if err != nil {
		return []byte(title) // what is not there fails to be written: three texts are
	}
	return text
}

// failedPage is what the template failed shows.
type failedPage struct {
	frame
	Message, Hint string
}

func (v view) write() ([]byte, error) {
	var out bytes.Buffer
	err := templates.ExecuteTemplate(&out, v.template, v.data)
	return out.Bytes(), err
}

// frame is what every page shows.
type frame struct {
	Title     string
	Who, Role string // who looks; empty for nobody who is known
}

func newFrame(ctx context.Context, title string) frame {
	caller, _ := tools.CallerFrom(ctx)
	return frame{title, show(caller.Name, maxLabel), string(caller.Role)}
}

// parameters reads what stands behind ? in an address: each parameter once at most.
func parameters(query string) (url.Values, error) {
	refuse := func(why string) error {
		return &tools.Error{Code: tools.BadArgument, Message: "What stands behind ? in the address cannot be read: " + show(why, maxText),
			Hint: "give each parameter once, as name=value, with & between them"}
	}
	values, err := url.ParseQuery(query)
	if err != nil {
		return nil, refuse(err.Error())
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if n := len(values[name]); n > 1 {
			return nil, refuse(fmt.Sprintf("“%s” stands there %d times", show(name, maxLabel), n))
		}
	}
	return values, nil
}

// number reads a parameter that is a whole number from 1 on; 0 where it is not given.
func (r request) number(name string) (int64, error) {
	text := r.query.Get(name)
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 {
		return 0, &tools.Error{Code: tools.BadArgument, Path: "/" + name, Message: "“" + show(text, maxLabel) + "” is no number for " + name,
			Hint: "give a whole number from 1 on"}
	}
	return n, nil
}

// addressOf is the address of a contract's page, or of one below it.
func addressOf(id string, below ...string) string {
	return Below + strings.Join(append([]string{url.PathEscape(id)}, below...), "/")
}
