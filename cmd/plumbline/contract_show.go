package main

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/scan/report"
)

// canonicalAnswer is the answer of `contract canonical`.
type canonicalAnswer struct {
	Canonical   string `json:"canonical"`
	Fingerprint string `json:"fingerprint"`
	SHA256      string `json:"sha256"` // of the canonical form
}

const canonicalHelp = `Print the canonical form of any JSON value: what fingerprints are computed from. The
bytes are exact, without a line break at their end, but on a terminal.`

func newContractCanonicalCmd(p *process) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "canonical FILE",
		Short: "Print the canonical form of a JSON value",
		Long:  canonicalHelp,
		Args:  exactly(1, "one JSON file"),
	}
	view := addView(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		given, err := p.readObject(cmd.Context(), maxChain, args[0])
		if err != nil {
			return err
		}
		text, err := contract.Canonical(given.text)
		if err != nil {
			return p.refuse(*view, given.name, about{Errors: syntaxProblem(err), Warnings: []contract.Problem{}})
		}
		if *view == viewJSON {
			return p.writeJSON(canonicalAnswer{string(text), contract.Fingerprint(text), contract.SHA256(text)})
		}
		if _, tty := terminal(p.stdout); tty {
			text = []byte(report.Escape(string(text)) + "\n")
		}
		_, err = p.stdout.Write(text)
		return written(err)
	}
	return cmd
}

// briefAnswer is the answer of `contract brief`.
type briefAnswer struct {
	Brief        string `json:"brief"`
	ContractText string `json:"contract_text"`
	ContractID   string `json:"contract_id"`
	Revision     int64  `json:"revision"`
	Fingerprint  string `json:"fingerprint"`
	SHA256       string `json:"sha256"`
}

// briefRoles are the roles that a brief is for.
var briefRoles = map[string]contract.Role{"builder": contract.Builder, "judge": contract.Judge}

func newContractBriefCmd(p *process) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "brief --role builder|judge FILE",
		Short: "Print what a builder or a judge is given, with the contract itself",
		Args:  exactly(1, "one contract"),
	}
	view := addView(cmd)
	role := cmd.Flags().String("role", "", "whom the brief is for: builder or judge")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		reader, ok := briefRoles[*role]
		if !ok {
			return usagef("--role %q: use builder or judge", *role)
		}
		c, err := p.readContract(cmd.Context(), args[0], "")
		if err != nil {
			return err
		}
		if !c.report.Valid() {
			return p.refuse(*view, c.name, newAbout(c.Contract, c.report))
		}
		if *view == viewJSON {
			return p.writeJSON(briefAnswer{contract.Brief(c.Contract, reader), string(c.Text), c.ID, c.Revision, c.Fingerprint, c.SHA256()})
		}
		_, err = io.WriteString(p.stdout, contract.BriefWithContract(c.Contract, reader))
		return written(err)
	}
	return cmd
}

// namedContract names one contract of an answer about several.
type namedContract struct {
	ContractID  string `json:"contract_id"`
	Revision    int64  `json:"revision"`
	Fingerprint string `json:"fingerprint"`
	SHA256      string `json:"sha256"`
}

// diffAnswer is the answer of `contract diff`.
type diffAnswer struct {
	From     namedContract      `json:"from"`
	To       namedContract      `json:"to"`
	Answer   string             `json:"answer"` // grow, close, narrow, mixed or none
	Changes  []contract.Change  `json:"changes"`
	Warnings []contract.Problem `json:"warnings"`
}

const diffHelp = `Show what changes from one contract to another, and how that answers a judge who found
something that no criterion covers: it grows, closes or narrows. Both must be valid.
Whether the second may follow the first, registering it says.`

func newContractDiffCmd(p *process) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "diff FROM TO",
		Short: "Show what changes from one contract to another",
		Long:  diffHelp,
		Args:  exactly(2, "two contracts"),
	}
	view := addView(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		given, err := p.readObjects(cmd.Context(), []int64{maxObject, maxObject}, args...)
		if err != nil {
			return err
		}
		from, to := parseContract(given[0], nil), parseContract(given[1], nil)
		for _, c := range []givenContract{from, to} {
			if !c.report.Valid() {
				return p.refuse(*view, c.name, newAbout(c.Contract, c.report))
			}
		}
		review := contract.ReviewRevision(from.Contract, to.Contract, false)
		if *view == viewJSON {
			return p.writeJSON(diffAnswer{from.named(), to.named(), review.Answer, review.Changes, review.Report.Warnings()})
		}
		page := p.newPage(p.stdout)
		page.WriteString(contract.Diff(from.Contract, to.Contract))
		page.problems(to.name, review.Report.Warnings())
		return page.print(p.stdout)
	}
	return cmd
}

func (c givenContract) named() namedContract {
	return namedContract{c.ID, c.Revision, c.Fingerprint, c.SHA256()}
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
func (p *process) refuse(view viewFlag, file string, a about) error {
	return p.judge(view, file, a, a)
}

// judge answers whether an object is valid: with the whole answer for programs, with
// the problems for people.
func (p *process) judge(view viewFlag, file string, a about, answer any) error {
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
