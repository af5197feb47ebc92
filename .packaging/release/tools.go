package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// kept are the settings of Go that are the user's: which release of Go runs, where it
// fetches modules and where it keeps them. None of them changes the bytes of a program
// but for GOTOOLCHAIN, whose choice the program names.
var kept = []string{
	"GOTOOLCHAIN", "GOCACHE", "GOCACHEPROG", "GOMODCACHE", "GOPATH",
	"GOPROXY", "GOSUMDB", "GONOSUMDB", "GONOPROXY", "GOPRIVATE", "GOINSECURE", "GOAUTH", "GOVCS",
}

// settings are those of a build. All others have the values of the Go release, be
// they set by variables or by `go env -w`; a Go release made by a system's maintainers
// may have other values for these.
var settings = []string{
	"GOENV=off", "GOFLAGS=-trimpath", "GOWORK=off", "CGO_ENABLED=0",
	"GOAMD64=v1", "GOARM64=v8.0", "GOFIPS140=off",
}

// stopWithin is how long a program may go on when it is interrupted.
const stopWithin = 30 * time.Second

// tools starts other programs, with an environment in which they do the same for
// every user.
type tools struct{ env []string }

func newTools(ctx context.Context) (tools, error) {
	text, err := tools{os.Environ()}.output(ctx, ".", nil, "go", append([]string{"env", "-json"}, kept...)...)
	if err != nil {
		return tools{}, err
	}
	var values map[string]string
	if err := json.Unmarshal([]byte(text), &values); err != nil {
		return tools{}, fmt.Errorf("read what `go env -json` says: %w; use a release of Go from go.dev", err)
	}
	env := slices.DeleteFunc(os.Environ(), func(variable string) bool {
		name, _, _ := strings.Cut(strings.ToUpper(variable), "=")
		// Those of git can name another repository, as they do in a hook.
		return strings.HasPrefix(name, "GO") || strings.HasPrefix(name, "CGO_") || strings.HasPrefix(name, "GIT_")
	})
	for _, name := range kept {
		if values[name] != "" {
			env = append(env, name+"="+values[name])
		}
	}
	return tools{append(env, settings...)}, nil
}

// output runs a program in a directory, with further variables, and gives what it says,
// without the line's end.
func (t tools) output(ctx context.Context, dir string, env []string, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env, cmd.Stderr = dir, slices.Concat(t.env, env), os.Stderr
	// Interrupted, Go waits for what it has started; killed, it cannot.
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = stopWithin
	said, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w", strings.Join(cmd.Args, " "), err)
	}
	return strings.TrimRight(string(said), "\r\n"), nil
}
