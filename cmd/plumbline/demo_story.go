package main

import "github.com/plumbline-mcp/plumbline/tools"

// What several steps show.
var (
	factRegistered = []demoFact{fact("fingerprint: {fingerprint}"), fact("sha256: {sha256}"), fact("valid: {valid}, recorded: {recorded}", "true", "true")}
	factCriteria   = fact("criterion {contract.criteria.*.id}: {contract.criteria.*.statement}")
	factContract   = fact("contract {contract.contract.id}, revision {contract.contract.revision}, by {contract.contract.owner}")
	factID         = fact("contract_id: {contract_id}")
	factValid      = fact("valid: {valid}", "true")
	factRecorded   = fact("recorded: {recorded}, as event {receipt.seq}", "true")
	factOpen       = fact("{open.findings.*.location}: {open.findings.*.message}")
	factLast       = fact("last verdict: {last_verdict}")
	factExit       = "exit code: {exit_code}"
)

// nextIs is who has to act next, as an answer says it.
func nextIs(actor string) demoFact { return fact("next: {next.*.actor} ({next.*.why})", actor) }

// readsBrief is a step that reads the brief of the newest revision.
func readsBrief(role tools.Role, notes ...demoNote) demoStep {
	return demoStep{
		who: role, does: "render_brief", sends: briefFor(role),
		shows: []demoFact{fact("contract_id: {contract_id}, role: {role}")},
		gets:  []demoFact{fact("brief of {contract_id}, revision {revision}, {fingerprint}")},
		notes: append(notes, sameStandard),
	}
}

// reports is a step that hands in a report on a commit, by the brief that the builder
// read last.
func reports(commit string, gets ...demoFact) demoStep {
	return demoStep{
		who: tools.Builder, does: "check_done", sends: doneOn(commit),
		shows: []demoFact{
			fact("report on {report.subject.commit}, revision {report.contract.revision}"),
			fact("{report.results.*.run}: exit code {report.results.*.exit_code}"),
		},
		gets: gets,
	}
}

// reportsDone is such a step whose report is taken as done.
func reportsDone(commit string) demoStep {
	return reports(commit, fact("complete: {complete}, done: {done}", "true", "true"), factRecorded, nextIs("judge"))
}

// judges is a step that hands in a round on a commit.
func judges(file, commit string, gets ...demoFact) demoStep {
	return demoStep{
		who: tools.Judge, does: "check_round", sends: roundOn(file, commit),
		shows: []demoFact{
			fact("round on {round.subject.commit}: {round.verdict}"),
			fact("finding: {round.findings.*.class}, {round.findings.*.location}: {round.findings.*.message}"),
		},
		gets: append([]demoFact{factValid}, gets...),
	}
}

// readsStatus is a step that reads how the contract stands.
func readsStatus(role tools.Role, gets ...demoFact) demoStep {
	return demoStep{who: role, does: "chain_status", sends: statusOf, shows: []demoFact{factID}, gets: gets}
}

// asks is a step that runs a command on the contract.
func asks(command string, gets ...demoFact) demoStep {
	return demoStep{who: demoCI, does: command + " --id " + demoContract + " --format json", gets: gets}
}

// wrong is one of the rules that cost most in a scan.
func wrong(index string) demoFact {
	rule := "{by_rule." + index + "."
	return fact(rule + "severity}: " + rule + "finding}, such as " + rule + "example}. " + rule + "fix}")
}

// demoStory is what the demo tells.
var demoStory = []demoChapter{
	{"The owner registers a contract", "Before the work begins, everybody can read by what it will be judged.", []demoStep{
		{
			who: tools.Owner, does: "register_contract", sends: revision("contract-1.json"),
			shows: []demoFact{
				factContract, factCriteria,
				fact("case {contract.criteria.0.cases.*.id}: {contract.criteria.0.cases.*.input} is {contract.criteria.0.cases.*.expect}"),
				fact("check: {contract.criteria.*.checks.0.run}"),
				fact("extension rounds allowed: {contract.budget.extensions}", "1"),
			},
			gets: factRegistered,
		},
	}},
	{"Builder and judge read the same standard", "Neither works by a copy: both get the registered bytes.", []demoStep{
		readsBrief(tools.Builder, firstCriterion),
		readsBrief(tools.Judge, sameAsBuilder),
	}},
	{"The builder reports the work done", "Done is a report of every check, not a claim; and it is not yet a pass.", []demoStep{
		reportsDone("commit-1"),
		asks("gate --subject commit-1", fact("open: {open}", "false"), fact("closed: {reasons.*.reason}"), fact(factExit, "1")),
	}},
	{"The judge finds a defect", "It names a case of the contract, so it is the builder's to mend.", []demoStep{
		judges("round-1.json", "commit-1",
			fact("finding: {findings.*.disposition} {findings.*.criterion}, for the {findings.*.route}", "against", "refund-limit", "builder"),
			factRecorded, nextIs("builder")),
	}},
	{"The builder reads it, mends it, reports again", "What to mend and how to see it comes from the record, not from a chat.", []demoStep{
		readsStatus(tools.Builder, factLast, factOpen,
			fact("see it with: {open.findings.*.check.run}"), fact("remedy: {open.findings.*.remedy.text}")),
		reportsDone("commit-2"),
	}},
	{"The judge asks for what no criterion covers", "The goal must not move in silence: this is the owner's to decide, and not without end.", []demoStep{
		judges("round-2.json", "commit-2",
			fact("finding: {findings.*.disposition}, for the {findings.*.route}, {findings.*.owner}", "extension", "owner"),
			fact("extension rounds: {extensions_used} of {extensions_budget}, must escalate: {must_escalate}", "1", "1", "true"),
			factRecorded, nextIs("owner")),
		{
			who: tools.Builder, does: "chain_status", sends: statusOf, shows: []demoFact{factID},
			gets:  []demoFact{fact("to mend: {open.findings.*.location}", noValue), fact("extensions waiting for the owner: {open.extensions_waiting}", "1")},
			notes: []demoNote{hidesExtension},
		},
	}},
	{"The owner answers with revision 2", "The standard changes in the open, by a revision that says what it changes.", []demoStep{
		readsStatus(tools.Owner, factLast, factOpen, fact("option: {open.findings.0.remedy.options.*}")),
		{
			who: tools.Owner, does: "register_contract", sends: revision("contract-2.json"),
			shows: []demoFact{factContract, factCriteria},
			gets:  append([]demoFact{fact("answer: {answer}", "grow"), fact("change: {changes.*.kind}, {changes.*.what}")}, factRegistered...),
		},
	}},
	{"The builder builds to revision 2, the judge passes it", "Work on revision 1 counts no more: both read the new brief first.", []demoStep{
		reports("commit-3", fact("valid: {valid}, recorded: {recorded}", "false", "false"), fact("error: {errors.0.code}: {errors.0.message}", "AAC802_STALE_REVISION")),
		readsBrief(tools.Builder),
		reportsDone("commit-3"),
		readsBrief(tools.Judge, sameAsBuilder),
		judges("round-3.json", "commit-3", fact("findings: {findings.*.disposition}", noValue), factRecorded, nextIs(noValue)),
	}},
	{"The gate opens, and the record holds", "A build or a merge rule asks one question of the record that all have worked by.", []demoStep{
		asks("gate --subject commit-3", fact("open: {open}", "true"),
			fact("reported done by {done_report.who}, revision {done_report.revision}", "ben", "2"),
			fact("judged by {last_round.who}: {last_round.verdict}", "judy", "pass"), fact(factExit, "0")),
		asks("chain verify", fact("valid: {valid}, events: {events}", "true"), fact(factExit, "0")),
	}},
	{"A dangerous API is scanned", "Before an agent may call an API, see what one wrong call could do.", []demoStep{
		{
			who: tools.Builder, does: "scan_openapi", sends: scanOf("orders.yaml"),
			shows: []demoFact{fact("document: the text of {name}")},
			gets: []demoFact{
				fact("verdict: {verdict}", "FAIL"), fact("score: {score}, {status}"), fact("reason: {reasons.*}"),
				fact("{tools.*.method} {tools.*.path}: {tools.*.action_type}, at worst {tools.*.severity}"),
				wrong("0"), wrong("1"), wrong("2"),
			},
		},
	}},
}
