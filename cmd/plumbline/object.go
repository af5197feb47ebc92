package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/scan/agentready"
	"github.com/plumbline-mcp/plumbline/tools"
)

// The largest objects that are read, in bytes. Most are far smaller; a larger one is a
// mistake or an attack, and costs time to judge.
const (
	maxObject = 1 << 20                   // a contract, a round
	maxReport = 4 << 20                   // a done report: what is unseen in its outputs grows when it is escaped
	maxChain  = contract.MaxDocumentBytes // a chain, or any JSON value
)

// object is a document that a command was given.
type object struct {
	name string // as shown: the path, or "stdin"
	text []byte
}

// readObjects reads the documents that arguments name, each of at most its limit.
func (p *process) readObjects(ctx context.Context, limits []int64, args ...string) ([]object, error) {
	if first := slices.Index(args, stdinArg); first >= 0 && slices.Contains(args[first+1:], stdinArg) {
		return nil, usagef("- is given twice: stdin can be read only once")
	}
	return interruptible(ctx, func() ([]object, error) {
		objects := make([]object, len(args))
		for i, arg := range args {
			o, err := p.readOne(limits[i], arg)
			if err != nil {
				return nil, err
			}
			objects[i] = o
		}
		return objects, nil
	})
}

// readObject reads one.
func (p *process) readObject(ctx context.Context, limit int64, arg string) (object, error) {
	objects, err := p.readObjects(ctx, []int64{limit}, arg)
	if err != nil {
		return object{}, err
	}
	return objects[0], nil
}

// readOne reads one. An empty document is read too, since what it lacks is said by
// the rules.
func (p *process) readOne(limit int64, arg string) (object, error) {
	in, f, err := p.openObject(limit, arg)
	if err != nil {
		return object{}, err
	}
	defer f.Close()
	text, err := readBounded(f, limit)
	if err != nil {
		return object{}, in.explain(err)
	}
	return object{in.name, text}, nil
}

// openObject opens a file of at most limit bytes, or stdin.
func (p *process) openObject(limit int64, arg string) (in input, text io.ReadCloser, err error) {
	in = input{name: arg}
	switch arg {
	case "":
		return in, nil, usagef("a file name is empty: give a path, or - for stdin")
	case stdinArg:
		return input{name: "stdin", stdin: true}, io.NopCloser(p.stdin), nil
	}
	f, err := openRegular(arg, limit)
	if err != nil {
		return in, nil, in.explain(err)
	}
	return in, f, nil
}

// givenContract is a contract as it was given, with what the rules say of it.
type givenContract struct {
	object
	*contract.Contract // without members where the document is no object
	report             *contract.Report
}

// parseContract checks a contract by every rule, also those of links where there is a
// root.
func parseContract(o object, root fs.FS) givenContract {
	c, report := contract.ParseContract(o.text)
	if c == nil {
		c = &contract.Contract{Text: o.text}
	} else {
		report.Merge(contract.CheckLinks(c, root), "")
	}
	return givenContract{o, c, report}
}

// openRoot opens the directory that artifacts are read under; nil, and nothing to
// close, for no directory.
func openRoot(dir string) (root fs.FS, close func(), err error) {
	if dir == "" {
		return nil, func() {}, nil
	}
	opened, err := os.OpenRoot(dir)
	if err != nil {
		return nil, nil, usagef("--root %s: %v: give a directory that exists and can be read", dir, plain(err))
	}
	return opened.FS(), func() { opened.Close() }, nil
}

// viewFlag is the choice between text for people and JSON for programs.
type viewFlag string

// The views of an answer.
const (
	viewText viewFlag = "text"
	viewJSON viewFlag = "json"
)

func (f *viewFlag) String() string { return string(*f) }

func (f *viewFlag) Type() string { return "FORMAT" }

// Set takes text or json.
func (f *viewFlag) Set(s string) error {
	if v := viewFlag(s); v != viewText && v != viewJSON {
		return fmt.Errorf("unknown format %q: use text or json", s)
	}
	*f = viewFlag(s)
	return nil
}

// addView gives a command the flag --format.
func addView(cmd *cobra.Command) *viewFlag {
	view := viewText
	cmd.Flags().Var(&view, "format", "how to show the answer: text or json")
	return &view
}

// addRoot gives a command the flag --root.
func addRoot(cmd *cobra.Command, standard, use string) *string {
	return cmd.Flags().String("root", standard, use)
}

// errNotValid ends a command whose answer, already written, is that something is not
// valid.
var errNotValid = &exitError{code: exitFail}

// notValidUnless is nil for an answer that all is well.
func notValidUnless(ok bool) error {
	if ok {
		return nil
	}
	return errNotValid
}

// writeJSON writes an answer for programs.
func (p *process) writeJSON(answer any) error {
	text, err := encodeJSON(answer)
	if err != nil {
		return err
	}
	_, err = p.stdout.Write(text)
	return written(err)
}

// encodeJSON gives a value as indented JSON, what cannot be seen in it as escapes.
func encodeJSON(value any) ([]byte, error) {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(value); err != nil {
		return nil, &exitError{code: exitInternal, message: err.Error()}
	}
	return agentready.EscapeUnseen(text.Bytes()), nil
}

// written words an error about writing a result.
func written(err error) error {
	if err == nil {
		return nil
	}
	return usagef("cannot write the result: %v", plain(err))
}

// readContract reads a contract and checks it; artifacts lie in dir, or nowhere.
func (p *process) readContract(ctx context.Context, path, dir string) (givenContract, error) {
	root, close, err := openRoot(dir)
	if err != nil {
		return givenContract{}, err
	}
	defer close()
	given, err := p.readObject(ctx, maxObject, path)
	if err != nil {
		return givenContract{}, err
	}
	return interruptible(ctx, func() (givenContract, error) { return parseContract(given, root), nil })
}

// refuse answers that an object is not valid, and why.
func (p *process) refuse(view viewFlag, file string, a tools.About) error {
	return p.judge(view, file, a, a)
}

// judge answers whether an object is valid: with the whole answer for programs, with
// the problems for people.
func (p *process) judge(view viewFlag, file string, a tools.About, answer any) error {
	if view == viewJSON {
		return worstOf(p.writeJSON(answer), notValidUnless(a.Valid))
	}
	page := p.newPage(p.stdout)
	page.verdict(file, a)
	page.problems(file, a.Errors, a.Warnings)
	return worstOf(page.print(p.stdout), notValidUnless(a.Valid))
}

// syntaxProblem is why a text is no JSON, as the reports of objects have it.
func syntaxProblem(err error) []contract.Problem {
	var syntax *contract.SyntaxError
	if !errors.As(err, &syntax) {
		return []contract.Problem{}
	}
	return []contract.Problem{{
		Code: contract.InvalidJSON, Severity: contract.Error, Message: syntax.Message, Fix: syntax.Hint,
		Line: syntax.Line, Column: syntax.Column,
	}}
}

// notJSON is what there is to say of a text that is no JSON.
func notJSON(err error) tools.About {
	return tools.About{Errors: syntaxProblem(err), Warnings: []contract.Problem{}}
}

// placed gives problems with their lines and columns in the text, which their paths lead
// to: an answer in JSON tells those of broken JSON alone.
func placed(text []byte, problems []contract.Problem) []contract.Problem {
	document, err := contract.Decode(text)
	if err != nil {
		return problems
	}
	problems = slices.Clone(problems)
	for i := range problems {
		if p := &problems[i]; p.Line == 0 {
			p.Line, p.Column = document.At(p.Path).Position()
		}
	}
	return problems
}
