package main

import (
	"context"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// build makes the program and gives the version that Go stamped into it.
func (r *release) build(ctx context.Context, t target, program string) (string, error) {
	_, err := r.tools.output(ctx, r.from, []string{"GOOS=" + t.os, "GOARCH=" + t.arch},
		"go", "build", "-buildvcs=true", "-ldflags", "-s -w -buildid=", "-o", program, "./cmd/plumbline")
	if err != nil {
		return "", err
	}
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return "", err
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.modified" && s.Value == "true" && !r.dirty {
			return "", errors.New("the copy of the commit was changed while it was built: begin again; if this stays, see `git status` in a new clone")
		}
	}
	return info.Main.Version, nil
}

// lister is the program that lists the modules of another. Go checks its bytes against
// the public database of checksums.
const lister = "github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.10.0"

// list writes the SBOM of a program and gives its name. It has no serial number and no
// time, which would differ each time.
func (r *release) list(ctx context.Context, name, program, version string) (string, error) {
	said, err := r.tools.output(ctx, r.from, nil,
		"go", "run", lister, "bin", "-json", "-std", "-noserial", "-notimestamp", "-version", version, program)
	if err != nil {
		return "", err
	}
	text, err := withoutToolHashes([]byte(said))
	if err != nil {
		return "", fmt.Errorf("read the SBOM that %s wrote: %w; name a version that writes CycloneDX as JSON", lister, err)
	}
	listed := name + ".cdx.json"
	return listed, os.WriteFile(filepath.Join(r.out, listed), text, 0o644)
}

// withoutToolHashes takes the hashes of the lister out of an SBOM: they tell on which
// machine it ran.
func withoutToolHashes(text []byte) ([]byte, error) {
	var bom map[string]any
	if err := json.Unmarshal(text, &bom); err != nil {
		return nil, err
	}
	metadata, _ := bom["metadata"].(map[string]any)
	tools, _ := metadata["tools"].([]any)
	if len(tools) == 0 {
		return nil, errors.New("it does not name the program that wrote it")
	}
	for _, tool := range tools {
		if tool, ok := tool.(map[string]any); ok {
			delete(tool, "hashes")
		}
	}
	text, err := json.MarshalIndent(bom, "", "  ")
	return append(text, '\n'), err
}
