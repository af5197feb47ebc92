package main

import (
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// settings are the build's settings that a user could have set otherwise and that
// change its bytes.
var settings = []string{
	"CGO_ENABLED=0", "GOAMD64=v1", "GOARM64=v8.0", "GOFLAGS=-trimpath", "GOFIPS140=off", "GOWORK=off",
}

// build makes the program and gives the version that Go stamped into it.
func (r *release) build(t target, program string) (string, error) {
	cmd := exec.Command("go", "build", "-buildvcs=true", "-ldflags", "-s -w -buildid=", "-o", program, "./cmd/plumbline")
	cmd.Env = append(append(os.Environ(), settings...), "GOOS="+t.os, "GOARCH="+t.arch)
	if _, err := output(cmd); err != nil {
		return "", err
	}
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return "", err
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.modified" && s.Value == "true" && !r.dirty {
			return "", fmt.Errorf("files were changed or added while it was built: begin again")
		}
	}
	return info.Main.Version, nil
}

// lister is the program that lists the modules of another. Go checks its bytes against
// the public database of checksums.
const lister = "github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.10.0"

// list writes the SBOM of a program and gives its name. It has no serial number and no
// time, which would differ each time.
func (r *release) list(name, program, version string) (string, error) {
	cmd := exec.Command("go", "run", lister, "bin", "-json", "-std", "-noserial", "-notimestamp", "-version", version, program)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-trimpath", "GOWORK=off")
	said, err := output(cmd)
	if err != nil {
		return "", err
	}
	text, err := withoutToolHashes([]byte(said))
	if err != nil {
		return "", fmt.Errorf("the SBOM: %w", err)
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
		return nil, fmt.Errorf("it does not name the program that wrote it")
	}
	for _, tool := range tools {
		if tool, ok := tool.(map[string]any); ok {
			delete(tool, "hashes")
		}
	}
	text, err := json.MarshalIndent(bom, "", "  ")
	return append(text, '\n'), err
}
