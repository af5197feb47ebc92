package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/scan/agentready"
)

// The largest objects that are read, in bytes. Most are far smaller; a larger one is a
// mistake or an attack, and costs time to judge.
const (
	maxObject = 1 << 20 // a contract, a round
	maxReport = 4 << 20 // a done report: what is unseen in its outputs grows when it is escaped
	maxChain  = 8 << 20 // a chain, or any JSON value

	maxExport = maxInput // a chain that a ledger wrote, whose events hold everything twice
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
	in := input{name: arg}
	var err error
	var text []byte
	switch arg {
	case "":
		return object{}, usagef("a file name is empty: give a path, or - for stdin")
	case stdinArg:
		in = input{name: "stdin", stdin: true}
		text, err = readBounded(p.stdin, limit)
	default:
		var f *os.File
		if f, err = openRegular(arg, limit); err == nil {
			defer f.Close()
			text, err = readBounded(f, limit)
		}
	}
	if err != nil {
		return object{}, in.explain(err)
	}
	return object{in.name, text}, nil
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

// writeJSON writes an answer for programs, what cannot be seen in it as escapes.
func (p *process) writeJSON(answer any) error {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(answer); err != nil {
		return &exitError{code: exitInternal, message: err.Error()}
	}
	_, err := p.stdout.Write(agentready.EscapeUnseen(text.Bytes()))
	return written(err)
}

// written words an error about writing a result.
func written(err error) error {
	if err == nil {
		return nil
	}
	return usagef("cannot write the result: %v", plain(err))
}
