package report

import (
	"bufio"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"html/template"
	"io"
	"strings"
)

// htmlFiles are the page's templates, style and script.
//
//go:embed html
var htmlFiles embed.FS

var (
	htmlTemplates = template.Must(template.ParseFS(htmlFiles, "html/*.tmpl"))
	htmlStyle     = asset("report.css")
	htmlScript    = asset("report.js")
)

// writeHTML writes one page that needs nothing beside it: no network, no other file,
// and no script to be read in whole. Text of the document stands in it as text only,
// escaped as for a terminal; the policy of the page lets a browser run and fetch
// nothing but what is ours.
func writeHTML(w io.Writer, items []Item, opts Options) error {
	buffered := bufio.NewWriter(w)
	page := newHTMLPage(failedFirst(items), opts)
	if err := htmlTemplates.ExecuteTemplate(buffered, "page", &page); err != nil {
		return err
	}
	return buffered.Flush()
}

// inline is a style or script of ours that stands in the page.
type inline struct {
	text string
	hash string // as a content security policy names it
}

func asset(name string) inline {
	text, err := htmlFiles.ReadFile("html/" + name)
	if err != nil {
		panic(err) // it is embedded
	}
	// Browsers hash what they have parsed, which has no carriage returns.
	clean := strings.ReplaceAll(string(text), "\r", "")
	sum := sha256.Sum256([]byte(clean))
	return inline{clean, "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"}
}

func (i inline) element(tag string) template.HTML {
	return template.HTML("<" + tag + ">" + i.text + "</" + tag + ">")
}

// htmlPolicy is the attribute of the page's content security policy.
func htmlPolicy() template.HTMLAttr {
	return template.HTMLAttr(`content="default-src 'none'; style-src ` + htmlStyle.hash + `; script-src ` + htmlScript.hash +
		`; base-uri 'none'; form-action 'none'"`)
}
