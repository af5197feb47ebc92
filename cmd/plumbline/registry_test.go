package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// registryInput is a value that a registry's entry has clients ask for or fill in.
type registryInput struct {
	Name, Value          string
	IsRequired, IsSecret bool
	Variables            map[string]registryInput
}

// registryServer is server.json, as far as it is held to anything but its schema.
type registryServer struct {
	Version    string
	Repository any
	Packages   []any
	Remotes    []struct {
		Type, URL string
		Headers   []registryInput
		Variables map[string]registryInput
	}
	Meta map[string]struct{ Published *bool } `json:"_meta"`
}

func readPackaging(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(checkout, ".packaging", name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func readRegistryServer(t *testing.T) (s registryServer) {
	t.Helper()
	if err := json.Unmarshal(readPackaging(t, "server.json"), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestRegistrySchema holds server.json to the registry's schema, and that to what the
// registry refuses.
func TestRegistrySchema(t *testing.T) {
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat = true
	if err := compiler.AddResource("server.schema.json", bytes.NewReader(readPackaging(t, "server.schema.json"))); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("server.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	text := string(readPackaging(t, "server.json"))
	const pack = `"packages": [{"registryType": "mcpb", "identifier": "https://example.com/a.mcpb", "transport": {"type": "stdio"}, `
	tests := []struct {
		name, from, to string
		valid          bool
	}{
		{"as it is", "", "", true},
		{"without a version", `"version"`, `"ersion"`, false},
		{"a range of versions", `"0.0.0"`, `"^1.0.0"`, false},
		{"any patch", `"0.0.0"`, `"1.0.x"`, false},
		{"a name without a namespace", "io.github.plumbline-mcp/", "", false},
		{"a long description", `"description": "Scans`, `"description": "` + strings.Repeat("a", 100), false},
		{"no URL", "https://{host}", "{host}", false},
		{"stdio from afar", "streamable-http", "stdio", false},
		{"a misspelt member", `"isSecret"`, `"secret"`, false},
		{"a package", `"remotes"`, pack + `"fileSha256": "` + strings.Repeat("0", 64) + `"}], "remotes"`, true},
		{"a package with a short digest", `"remotes"`, pack + `"fileSha256": "00"}], "remotes"`, false},
		{"a package with a flag", `"remotes"`, pack + `"packageArguments": [{"type": "named", "name": "--root", "format": "filepath"}]}], "remotes"`, true},
		{"a package with a flag without a name", `"remotes"`, pack + `"packageArguments": [{"type": "named"}]}], "remotes"`, false},
		{"a package with an argument of no value", `"remotes"`, pack + `"packageArguments": [{"type": "positional"}]}], "remotes"`, false},
		{"the latest package", `"remotes"`, pack + `"version": "latest"}], "remotes"`, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var server any
			if err := json.Unmarshal([]byte(strings.Replace(text, tt.from, tt.to, 1)), &server); err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(server); (err == nil) != tt.valid {
				t.Errorf("valid: %v, want %v: %v", err == nil, tt.valid, err)
			}
		})
	}
}

var release = regexp.MustCompile(`(?m)^## \[(\d+\.\d+\.\d+\S*)\]`)

// TestRegistryClaims holds server.json to what is so: its version is the newest that the
// changelog names, and it says that nothing is published while it points to nothing that is.
func TestRegistryClaims(t *testing.T) {
	s := readRegistryServer(t)
	changes, err := os.ReadFile(filepath.Join(checkout, "CHANGELOG.md"))
	if err != nil {
		t.Fatal(err)
	}
	version := "0.0.0" // nothing is released
	if m := release.FindSubmatch(changes); m != nil {
		version = string(m[1])
	}
	if s.Version != version {
		t.Errorf("server.json is of version %s, CHANGELOG.md of %s", s.Version, version)
	}
	said := s.Meta["io.modelcontextprotocol.registry/publisher-provided"].Published
	if points := s.Repository != nil || len(s.Packages) > 0; said == nil || *said != points {
		t.Errorf("server.json points to a repository or packages: %v, and says so: %v", points, said)
	}
}

var inBraces = regexp.MustCompile(`\{([^}]*)\}`)

// fillTemplate fills variables in, each of which must be declared and none in vain.
func fillTemplate(t *testing.T, template string, variables map[string]registryInput, values map[string]string) string {
	t.Helper()
	var used []string
	text := inBraces.ReplaceAllStringFunc(template, func(found string) string {
		name := strings.Trim(found, "{}")
		used = append(used, name)
		if !variables[name].IsRequired || values[name] == "" {
			t.Errorf("%s: the variable %s must be asked for, and have a value in this test", template, name)
		}
		return values[name]
	})
	for name := range variables {
		if !slices.Contains(used, name) {
			t.Errorf("%s: the variable %s is asked for in vain", template, name)
		}
	}
	return text
}

// TestRegistryRemotes reaches a team's server as a client does that was told what
// server.json says, and was given a host and a token.
func TestRegistryRemotes(t *testing.T) {
	team := startTeam(t, "plumbline")
	s := readRegistryServer(t)
	if len(s.Remotes) == 0 {
		t.Fatal("server.json names no endpoint")
	}
	values := map[string]string{"host": team.host, "token": team.token}
	for _, remote := range s.Remotes {
		if remote.Type != "streamable-http" {
			t.Errorf("the type %s is not held to a session here", remote.Type)
		}
		e := clientEntry{URL: fillTemplate(t, remote.URL, remote.Variables, values), Headers: map[string]string{}}
		for _, header := range remote.Headers {
			e.Headers[header.Name] = fillTemplate(t, header.Value, header.Variables, values)
			if !header.Variables["token"].IsSecret {
				t.Error("clients are not told that the token is secret")
			}
		}
		if role := holdSession(t, reached(t, e, team.web), askChains); role != "builder" {
			t.Errorf("the token's role is builder, and the server offers the tools of %s", role)
		}
	}
}
