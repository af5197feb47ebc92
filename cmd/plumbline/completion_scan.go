package main

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
)

// documentEndings are how the names of documents end.
var documentEndings = []string{"json", "yaml", "yml"}

// documents complete what is scanned.
var documents = completeFiles(documentEndings...)

// isDocument says whether a name is that of a document, by its ending.
func isDocument(name string) bool {
	return slices.Contains(documentEndings, strings.ToLower(strings.TrimPrefix(filepath.Ext(name), ".")))
}

// completeScan completes the kind of what is scanned or a document, after the kind only
// documents, after -- a command.
func (p *process) completeScan(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	if slices.Contains(p.args, "--") { // cobra itself parses one behind any arguments
		return nil, cobra.ShellCompDirectiveDefault
	}
	var words []string
	for _, kind := range kinds {
		if len(args) == 0 && strings.HasPrefix(string(kind), begun) {
			words = append(words, string(kind))
		}
	}
	if len(words) == 0 {
		return documents(cmd, args, begun)
	}
	return append(words, documentsHere(begun)...), cobra.ShellCompDirectiveNoFileComp
}

// documentsHere are the documents and directories of the working directory whose names
// begin so. A shell that is given words completes no files, so that they must be words too.
func documentsHere(begun string) []string {
	entries, err := os.ReadDir(".")
	if err != nil {
		return nil
	}
	var names []string
	for _, entry := range entries {
		name := entry.Name()
		switch {
		case !strings.HasPrefix(name, begun) || strings.HasPrefix(name, ".") || strings.ContainsFunc(name, agentready.Unseen):
		case entry.IsDir():
			names = append(names, name+"/")
		case isDocument(name):
			names = append(names, name)
		}
	}
	return names
}

// listOrFile completes a flag that takes one of a list, and after = a file.
func listOrFile(list []string) func(*process, *pflag.Flag) cobra.CompletionFunc {
	complete := func(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
		if name, path, assigned := strings.Cut(begun, "="); assigned {
			return filesAfter(name+"=", path), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
		}
		return list, cobra.ShellCompDirectiveNoFileComp
	}
	return func(*process, *pflag.Flag) cobra.CompletionFunc { return complete }
}

// filesAfter are the files and directories whose paths begin so, each behind a prefix: not
// every shell completes files in the middle of a word.
func filesAfter(prefix, begun string) []string {
	dir, base := filepath.Split(begun)
	entries, err := os.ReadDir(cmp.Or(dir, "."))
	if err != nil {
		return nil
	}
	var words []string
	for _, entry := range entries {
		name := entry.Name()
		hidden := strings.HasPrefix(name, ".") && base == ""
		if hidden || !strings.HasPrefix(name, base) || strings.ContainsFunc(name, agentready.Unseen) {
			continue
		}
		if entry.IsDir() {
			name += "/"
		}
		words = append(words, prefix+dir+name)
	}
	return words
}
