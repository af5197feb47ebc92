// Emptyserver is an MCP server without anything in it, on the library's own
// transport: what Plumbline's start is measured against.
package main

import (
	"os"

	"github.com/mark3labs/mcp-go/server"
)

func main() {
	if err := server.ServeStdio(server.NewMCPServer("empty", "1")); err != nil {
		os.Exit(1)
	}
}
