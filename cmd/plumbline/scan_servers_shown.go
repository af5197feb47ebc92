package main

import (
	"maps"
	"slices"
	"strings"

	"github.com/plumbline-mcp/plumbline/contract"
)

// shown is how the entry is shown before it is started: as the file has it, but for what
// may be secret. Which variables of this environment it is given is said by their names.
func (e clientEntry) shown() contract.Check {
	if e.URL != "" {
		return contract.Check{Type: shownHTTP, Run: shownURL(e.URL) + shownWith(e.Headers)}
	}
	words := []string{shellWord(e.Command)}
	for _, arg := range e.Args {
		words = append(words, shellWord(arg))
	}
	line := strings.Join(words, " ") + shownWith(e.Env)
	if e.Dir != "" {
		line += "   in " + e.Dir
	}
	return contract.Check{Type: shownStdio, Run: line}
}

// The kinds of servers, as they are shown.
const (
	shownHTTP  = "http"
	shownStdio = "stdio"
)

// shownWith says what a server is given beside its line: headers or variables, each with
// what fills it, without a value.
func shownWith(given map[string]string) string {
	if len(given) == 0 {
		return ""
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if filled := variablesIn(given[name]); len(filled) > 0 {
			parts = append(parts, name+" from "+strings.Join(filled, " and "))
		} else {
			parts = append(parts, name+" set")
		}
	}
	return "   with " + strings.Join(parts, ", ")
}

// variablesIn are the variables that fill a text, as ${NAME}: what a file gives in place
// of one may be secret.
func variablesIn(text string) []string {
	var names []string
	for _, m := range variable.FindAllStringSubmatch(text, -1) {
		if m[1] != "" {
			names = append(names, "${"+m[1]+"}")
		}
	}
	return names
}

// shownURL is a URL without the values in it that may be secret: who asks, and what its
// query says. The URL may hold variables, so that it need not be one yet.
func shownURL(text string) string {
	text, _, _ = strings.Cut(text, "#")
	text, query, asks := strings.Cut(text, "?")
	if scheme, rest, ok := strings.Cut(text, "://"); ok {
		host, _, _ := strings.Cut(rest, "/")
		if at := strings.LastIndexByte(host, '@'); at >= 0 {
			text = scheme + "://" + shownValue(host[:at]) + host[at:] + rest[len(host):]
		}
	}
	if !asks {
		return text
	}
	pairs := strings.Split(query, "&")
	for i, pair := range pairs {
		if name, value, ok := strings.Cut(pair, "="); ok {
			pairs[i] = name + "=" + shownValue(value)
		} else {
			pairs[i] = shownValue(pair)
		}
	}
	return text + "?" + strings.Join(pairs, "&")
}

// shownValue is what is shown for a value: the variables that fill it, or that it is
// secret.
func shownValue(value string) string {
	if filled := variablesIn(value); len(filled) > 0 {
		return strings.Join(filled, "")
	}
	if value == "" {
		return ""
	}
	return "[secret]"
}
