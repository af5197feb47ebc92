// Plumbline scans what APIs and MCP servers offer to agents, by the AgentReady
// rules, and holds agents' work to acceptance contracts. `plumbline -h` is its manual.
package main

import (
	"context"
	"io"
	"log"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	log.SetOutput(io.Discard) // libraries write there what strangers send, secrets among it
	ctx, stop := signal.NotifyContext(context.Background(), endings()...)
	context.AfterFunc(ctx, func() {
		signal.Ignore(syscall.SIGHUP) // a terminal that closes sends it twice
		stop()                        // any other second signal ends the process at once
	})
	os.Exit(run(ctx, os.Args[1:], os.Environ(), os.Stdin, os.Stdout, os.Stderr))
}

// endings are the signals that ask the process to end: it stops what it runs, and writes
// what it has. A process that is to outlive its terminal, as by nohup, does.
func endings() []os.Signal {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	return signals
}

// run is the whole program: everything that a process owns is a parameter. It
// returns the exit code.
func run(ctx context.Context, args, env []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	p := &process{args: args, env: env, stdin: stdin, stdout: stdout, stderr: stderr}
	_, err := guard(func() (struct{}, error) { return struct{}{}, execute(ctx, p) })
	return p.exit(err)
}
