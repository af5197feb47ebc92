package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/plumbline-mcp/plumbline/contract"
)

// clientName is the client configuration of a project.
const clientName = ".mcp.json"

const (
	namesServer = "it names the server " + clientServer + " already"
	namesNone   = "names no server " + clientServer
)

const (
	clientServer = "plumbline" // what the server is called there
	clientMember = `{ "command": "plumbline", "args": ["serve"] }`
	clientFile   = `{
  "mcpServers": {
    "plumbline": {
      "command": "plumbline",
      "args": ["serve"]
    }
  }
}
`
)

// clientLists are the members that a client's servers stand in; a file that has the
// second alone keeps it.
var clientLists = []string{"mcpServers", "servers"}

// addToClient adds the server to the text of a client's configuration, and leaves every
// other byte as it is. added shows what was added; it is empty where the server is there.
func addToClient(text []byte) (with []byte, added string, err error) {
	config, err := contract.Decode(text)
	if err != nil {
		return nil, "", err
	}
	if config.Type() != contract.Object {
		return nil, "", fmt.Errorf("it is %s, not an object", config.Type())
	}
	var found *contract.Value // the first list
	for _, name := range clientLists {
		list := config.Get(name)
		switch {
		case list.Type() == contract.Absent:
			continue
		case list.Type() != contract.Object:
			return nil, "", fmt.Errorf("its %s is %s, not an object", name, list.Type())
		case list.Get(clientServer) != nil:
			return nil, "", nil
		case found == nil:
			found = list
		}
	}
	member := fmt.Sprintf("%q: %s", clientServer, clientMember)
	if found != nil {
		return keepMark(text, found.SetMember(clientServer, clientMember)), member, nil
	}
	list := fmt.Sprintf("{ %s }", member)
	return keepMark(text, config.SetMember(clientLists[0], list)), fmt.Sprintf("%q: %s", clientLists[0], list), nil
}

// byteOrderMark may stand before the text of a file, as some editors write it.
const byteOrderMark = "\ufeff"

// keepMark puts the byte order mark of a text before what was made of it.
func keepMark(text, made []byte) []byte {
	if bytes.HasPrefix(text, []byte(byteOrderMark)) {
		return append([]byte(byteOrderMark), made...)
	}
	return made
}

// clientHere is the path of the configuration that counts in this directory: its own, else
// the nearest one above it in the repository; its own where there is none.
func clientHere() string {
	if isThere(clientName) {
		return clientName
	}
	here := realPath(".")
	for top := repository(here); here != top; {
		here = filepath.Dir(here)
		if path := filepath.Join(here, clientName); isThere(path) {
			return path
		}
	}
	return clientName
}

// proposeClient proposes the configuration, or the server for one that is there.
func (p *process) proposeClient() (proposal, error) {
	made := proposal{name: clientName, text: []byte(clientFile)}
	if path := clientHere(); path != clientName {
		return proposal{name: path, left: p.clientAbove(path)}, nil
	}
	if !isThere(clientName) {
		return made, nil
	}
	if err := staysInside(clientName); err != nil {
		return made, err
	}
	old, err := p.readOne(maxObject, clientName)
	if err != nil {
		return made, err
	}
	with, added, err := addToClient(old.text)
	switch {
	case err != nil:
		return made, usagef("%s: %v: mend it, or move it away; nothing was written", clientName, err)
	case added == "":
		return proposal{name: clientName, left: namesServer}, nil
	}
	made.old, made.text, made.added = old.text, with, added
	return made, nil
}

// clientAbove says why a configuration further up in the repository stays as it is: a
// second one here would stand beside it.
func (p *process) clientAbove(path string) string {
	old, err := p.readOne(maxObject, path)
	added := ""
	if err == nil {
		_, added, err = addToClient(old.text)
	}
	switch {
	case err != nil:
		return "it applies here, but cannot be read as a client's configuration; `plumbline doctor` says why"
	case added != "":
		return "it applies here, but " + namesNone + ": " + initIn(path)
	}
	return namesServer
}

// initIn says where a configuration gets the server.
func initIn(path string) string {
	if path == clientName {
		return "`plumbline init` adds it"
	}
	return "`plumbline init` in " + filepath.Dir(path) + " adds it"
}

// shownText is what is shown of a proposal: the file in full, or what is added to it.
func (f proposal) shownText() string {
	if f.added != "" {
		return "+ " + f.added
	}
	return strings.TrimSuffix(string(f.text), "\n")
}
