package main

import (
	"os"
	"path/filepath"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
)

// baseline is an earlier export that a scan is compared with.
type baseline struct {
	path   string
	export *agentready.Export
}

// readBaselines reads the baseline of every input: --baseline is an export, or for
// several inputs a directory of them, as --out writes it.
func (s *scanRun) readBaselines() error {
	name := s.flags.policy.baseline
	if name == "" {
		return nil
	}
	s.baselines = map[input]baseline{}
	info, err := os.Stat(name)
	directory := err == nil && info.IsDir()
	if len(s.named) > 1 && !directory {
		return usagef("--baseline %s is for one document, and %d are scanned: give a directory that --out wrote, or scan one at a time", name, len(s.named))
	}
	names := exportNames(s.named)
	for _, in := range s.inputs {
		path := name
		if directory {
			path = filepath.Join(name, names[in])
		}
		export, err := readBaseline(path)
		if err != nil {
			return input{name: "--baseline " + path}.explain(err)
		}
		s.baselines[in] = baseline{path, export}
	}
	return nil
}

func readBaseline(path string) (*agentready.Export, error) {
	data, err := readRegular(path)
	if err != nil {
		return nil, err
	}
	export, err := agentready.Read(data)
	if err != nil {
		return nil, usagef("%v: make it with `plumbline scan FILE --out DIR`", err)
	}
	return export, nil
}

// readRegular reads a file beside the documents, no longer than they may be.
func readRegular(path string) ([]byte, error) {
	f, err := openRegular(path, maxInput)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readBounded(f, maxInput)
}

// compare compares an export with its baseline, if it has one, and gives the policy
// that then holds: the score must not fall, whatever it is.
func (s *scanRun) compare(in input, export *agentready.Export, policy agentready.Policy) (agentready.Policy, error) {
	base, ok := s.baselines[in]
	if !ok {
		return policy, nil
	}
	if base.export.SourceType != export.SourceType {
		return policy, usagef("%s: the baseline %s is of another kind of document, %s: give the export of this one",
			in.name, base.path, base.export.SourceType)
	}
	export.Compare(base.export)
	least := base.export.GateScore
	if s.flags.policy.minScore {
		least = max(least, policy.MinScore)
	}
	policy.MinScore = least
	return policy, nil
}

// given names the flags that a policy of an input has thresholds of. A score that is the
// baseline's is not that of --min-score.
func (s *scanRun) given(in input, policy agentready.Policy) []string {
	flags := s.flags.policy
	base, compared := s.baselines[in]
	score := compared && policy.MinScore == base.export.GateScore
	var names []string
	for _, flag := range []struct {
		name string
		sets bool
	}{
		{"--baseline", score}, {"--min-score", flags.minScore && !score}, {"--fail-on", flags.failOn}, {"--max-tokens", flags.maxTokens},
	} {
		if flag.sets {
			names = append(names, flag.name)
		}
	}
	return names
}
