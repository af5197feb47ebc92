package contract

import (
	"fmt"
	"strings"
)

// roundJudge applies the rules of one round.
type roundJudge struct {
	*RoundResult
	standard *Standard // nil where no revision is known
	recorded bool
}

// findingRules are the rules that bind one finding under a revision.
var findingRules = []func(*roundJudge, *Finding, *Judged){
	(*roundJudge).commandCheck,
	(*roundJudge).wholeSuite,
	(*roundJudge).extensionRemedy,
	(*roundJudge).extensionOwner,
	(*roundJudge).verified,
}

// findings gives each finding its disposition and applies the rules of findings.
func (j *roundJudge) findings() {
	for i := range j.Round.Findings {
		f := &j.Round.Findings[i]
		judged := j.standard.Judge(f)
		j.Findings = append(j.Findings, judged)
		if f.Weight == Blocking && judged.Disposition == DispositionExtension {
			j.ExtensionRound = true
		}
		for _, rule := range findingRules {
			rule(j, f, &judged)
		}
	}
}

// commandCheck is AAC601.
func (j *roundJudge) commandCheck(f *Finding, judged *Judged) {
	if f.Weight != Blocking || judged.Disposition != DispositionAgainst || judged.Criterion.Kind == Judgment {
		return
	}
	fix := "add a check of type command that runs the case " + quoteName(f.Location) + " and fails while the defect is there"
	switch {
	case f.Check == nil:
		j.Report.Add(CommandCheckRequired, f.Value,
			fmt.Sprintf("a blocking finding against the %s criterion %s carries no check", judged.Criterion.Kind, quoteName(judged.Criterion.ID)), fix)
	case f.Check.Type == Preview || f.Check.Type == Condition:
		j.Report.Add(CommandCheckRequired, f.Check.Value,
			fmt.Sprintf("a blocking finding against the %s criterion %s carries a %s check, which is not a command", judged.Criterion.Kind, quoteName(judged.Criterion.ID), f.Check.Type), fix)
	}
}

// wholeSuite is AAC608.
func (j *roundJudge) wholeSuite(f *Finding, judged *Judged) {
	if f.Weight != Blocking || judged.Disposition != DispositionAgainst || !judged.Criterion.Kind.finite() {
		return
	}
	if f.Check == nil || f.Check.Type != Command || f.Check.Run == "" || !j.standard.runs[f.Check.Run] {
		return
	}
	j.Report.Add(CheckIsWholeSuite, f.Check.Value.Get("run"),
		"the finding's command is one of the contract's own checks, word for word: it runs the whole suite, not the case",
		"write a command that runs the case "+quoteName(f.Location)+" alone")
}

// extensionRemedy is AAC602.
func (j *roundJudge) extensionRemedy(f *Finding, judged *Judged) {
	if f.Weight != Blocking || judged.Disposition != DispositionExtension || f.Remedy == nil {
		return
	}
	switch f.Remedy.Type {
	case "", RemedyDelegate, RemedyDecide:
		return
	}
	j.Report.Add(ExtensionRemedy, f.Remedy.Value.Get("type"),
		fmt.Sprintf("the contract does not hold this finding, so it is an extension, and %s would send it to the builder", f.Remedy.Type),
		"make the remedy delegate to "+quoteName(judged.Owner)+", or decide; or, if a criterion covers it, cite that criterion's class and an input it holds")
}

// extensionOwner is AAC603.
func (j *roundJudge) extensionOwner(f *Finding, judged *Judged) {
	if f.Weight != Blocking || judged.Disposition != DispositionExtension || f.Remedy == nil {
		return
	}
	if f.Remedy.Type != RemedyDelegate || f.Remedy.To == "" || f.Remedy.To == judged.Owner {
		return
	}
	j.Report.Add(ExtensionOwner, f.Remedy.Value.Get("to"),
		fmt.Sprintf("the extension is delegated to %s, but its owner is %s", quoteName(f.Remedy.To), quoteName(judged.Owner)),
		"delegate it to "+quoteName(judged.Owner))
}

// verified is AAC606. A record is for good, so there it is an error.
func (j *roundJudge) verified(f *Finding, judged *Judged) {
	if judged.Unverified == nil {
		return
	}
	severity, fix := Warning, "give the root directory in which the file lies with the bytes that the contract declares"
	if j.recorded {
		severity, fix = Error, "register the revision together with its artifacts, so that the input can be looked up"
	}
	j.Report.addAs(severity, InputNotVerified, f.Value.Get("location"),
		"the input could not be looked up: "+judged.Unverified.Error(), fix)
}

// coverage is AAC804.
func (j *roundJudge) coverage() {
	coverage := j.Round.Value.Get("coverage")
	classes := coverage.Get("classes")
	if coverage != nil && !j.Round.shape.sound(coverage) {
		return
	}
	covered := map[string]bool{}
	for _, class := range j.Round.Classes {
		covered[class] = true
	}
	missing := []string{}
	for _, cr := range j.standard.Contract.Criteria {
		if !covered[cr.Class] {
			covered[cr.Class] = true
			missing = append(missing, cr.Class)
		}
	}
	if len(missing) == 0 {
		return
	}
	at := j.Round.Value
	switch {
	case classes != nil:
		at = classes
	case coverage != nil:
		at = coverage
	}
	j.Report.Add(CoverageGap, at,
		"the coverage does not name "+listNames(missing)+", so nobody can tell whether that was judged",
		"judge every class of the contract and list it in coverage.classes")
}

// listNames shows the first of many names, and how many more there are.
func listNames(names []string) string {
	const most = 10
	shown := make([]string, 0, most+1)
	for _, name := range names[:min(most, len(names))] {
		shown = append(shown, quoteName(name))
	}
	list := strings.Join(shown, ", ")
	if more := len(names) - most; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list
}
