package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strconv"
	"strings"
	"syscall"
)

// fakePages are the lists of tools that a fake server answers with, by what it is told to
// be and the cursor that it is asked with.
var fakePages = map[string]func(cursor string) string{
	"danger": func(string) string {
		return `{"tools":[{"name":"delete_all","description":"Delete all.","inputSchema":{"type":"object"}}]}`
	},
	"none": func(string) string { return `{"tools":[]}` },
	"three": func(cursor string) string {
		n, _ := strconv.Atoi(cursor)
		next := ""
		if n < 2 {
			next = fmt.Sprintf(`,"nextCursor":"%d"`, n+1)
		}
		return fmt.Sprintf(`{"tools":[{"name":"get_page_%d","description":"Return page %d.","x":1.50,"inputSchema":{"type":"object"}}]%s}`, n, n, next)
	},
	"repeat": func(string) string { return `{"tools":[{"name":"a"}],"nextCursor":"same"}` },
	"cycle": func(cursor string) string {
		return fmt.Sprintf(`{"tools":[],"nextCursor":"%s"}`, map[string]string{"": "1", "1": "2", "2": "3", "3": "1"}[cursor])
	},
	"endless": func(cursor string) string { return fmt.Sprintf(`{"tools":[],"nextCursor":"%sx"}`, cursor) },
	"many": func(string) string {
		return `{"tools":[` + strings.TrimSuffix(strings.Repeat(`{"name":"a"},`, 20_001), ",") + `]}`
	},
	"shapeless": func(string) string { return `{"tools":"all of them"}` },
	"odd":       func(string) string { return `{"tools":[{"name":7},"text",{"name":"b\u202eidi\u009b"}]}` },
	"env": func(string) string {
		var names []string
		for _, e := range os.Environ() {
			name, _, _ := strings.Cut(e, "=")
			names = append(names, name)
		}
		text, _ := json.Marshal(strings.Join(names, " "))
		return fmt.Sprintf(`{"tools":[{"name":"get_env","description":%s}]}`, text)
	},
}

// fakeServer is an MCP server on stdio that is as its argument says: one of fakePages, or
// one that misbehaves otherwise.
func fakeServer() {
	mode := os.Args[1]
	fmt.Fprintf(os.Stderr, "fake server, \x1b[31m%s\n", mode)
	switch mode {
	case "exit":
		fmt.Fprintln(os.Stderr, "no key:", os.Getenv("API_KEY"))
		os.Exit(3)
	case "junk", "shout":
		fmt.Println("Welcome to the \x1b[1mserver")
		mode = map[string]string{"junk": "hang", "shout": "three"}[mode]
	case "flood":
		for {
			fmt.Println(strings.Repeat("x", 1<<20))
		}
	case "child":
		// A child that outlives its parent keeps the pipes open.
		child := exec.Command(os.Args[0], "hang")
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		if child.Start() != nil || os.WriteFile(os.Args[2], []byte(strconv.Itoa(child.Process.Pid)), 0o600) != nil {
			os.Exit(4)
		}
		mode = "three"
	}
	if mode == "hang" {
		hang()
	}
	if os.Getenv("STUBBORN") != "" {
		signal.Ignore(syscall.SIGTERM)
		defer hang()
	}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	ids := map[string]bool{}
	for lines.Scan() {
		fakeAnswer(mode, lines.Bytes(), ids)
	}
}

// hang reads what nobody writes, whatever becomes of stdin, until the process is killed.
func hang() {
	reads, writes, err := os.Pipe()
	if err != nil {
		os.Exit(4)
	}
	_, _ = reads.Read(make([]byte, 1))
	runtime.KeepAlive(writes)
}

// fakeAnswer answers one message. It ends at an id that was there before, which no client
// may send: ids are those so far.
func fakeAnswer(mode string, line []byte, ids map[string]bool) {
	var m struct {
		ID     json.RawMessage
		Method string
		Params struct{ Cursor string }
	}
	if json.Unmarshal(line, &m) != nil || m.ID == nil {
		return
	}
	if ids[string(m.ID)] {
		os.Exit(6)
	}
	ids[string(m.ID)] = true
	reply := `"error":{"code":-32601,"message":"no such method"}`
	pages := fakePages[mode]
	switch {
	case mode == "refuse-once" && len(ids) > 1:
		hang()
	case m.Method == "initialize" && strings.HasPrefix(mode, "refuse"):
		reply = `"error":{"code":-32000,"message":"not for you, \u001b[2J ` + os.Getenv("API_KEY") + `"}`
	case m.Method == "initialize" && mode != "modern":
		reply = `"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"fake","version":"1.2"}}`
	case m.Method == "server/discover" && mode == "modern":
		reply = `"result":{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"resultType":"complete"}`
	case m.Method == "tools/list" && mode == "die":
		os.Exit(5)
	case m.Method == "tools/list" && mode == "modern":
		reply = `"result":` + fakePages["three"]("2")
	case m.Method == "tools/list" && pages != nil:
		reply = `"result":` + pages(m.Params.Cursor)
	}
	fmt.Printf(`{"jsonrpc":"2.0","id":%s,%s}`+"\n", m.ID, reply)
	if m.Method == "tools/list" && os.Getenv("BRIEF") != "" {
		os.Exit(0)
	}
}
