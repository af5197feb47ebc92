package main

import (
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pb33f/go-yaml"

	"github.com/plumbline-mcp/plumbline/server"
)

// composed is compose.yaml, as far as it is held to anything.
type composed struct {
	Services struct {
		Plumbline composedService
		Ledger    composedService
	}
	Networks map[string]struct{ Internal bool }
	Volumes  map[string]any
}

// composedService is one container of it.
type composedService struct {
	Image       string
	Build       struct{ Context, Dockerfile string }
	Command     any
	Environment map[string]string
	Volumes     []string
	Ports       []string
	Networks    []string
	DependsOn   map[string]struct{ Condition string } `yaml:"depends_on"`
	ReadOnly    bool                                  `yaml:"read_only"`
	Privileged  bool
	CapDrop     []string `yaml:"cap_drop"`
	Healthcheck struct{ Test []string }
	StopGrace   string `yaml:"stop_grace_period"`
}

// readCompose reads what starts a server with its ledger.
func readCompose(t *testing.T) composed {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(checkout, ".packaging/compose.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var c composed
	if err := yaml.Unmarshal(text, &c); err != nil {
		t.Fatal(err)
	}
	return c
}

// The file that starts a server with its ledger keeps secrets out of arguments, data on
// a volume, and the ledger away from everybody else.
func TestCompose(t *testing.T) {
	i, c := readImage(t), readCompose(t)
	app, ledger := c.Services.Plumbline, c.Services.Ledger
	dsn, err := url.Parse(app.Environment["PLUMBLINE_LEDGER"])
	if err != nil {
		t.Fatal(err)
	}
	_, inDSN := dsn.User.Password()
	grace, err := time.ParseDuration(app.StopGrace)
	if err != nil {
		t.Fatal(err)
	}
	secret := func(value string) bool { return strings.HasPrefix(value, "${") && strings.Contains(value, ":?") }
	for what, holds := range map[string]bool{
		"the server is built from the Dockerfile":       path.Join(app.Build.Context, dockerfile) == path.Join("..", app.Build.Dockerfile),
		"the server takes the image's arguments":        app.Command == nil,
		"the DSN holds no password":                     !inDSN && dsn.User.Username() == ledger.Environment["POSTGRES_USER"],
		"the DSN names the ledger's database":           dsn.Hostname() == "ledger" && dsn.Path == "/"+ledger.Environment["POSTGRES_DB"],
		"the passwords come from outside, and must":     secret(app.Environment["PGPASSWORD"]) && app.Environment["PGPASSWORD"] == ledger.Environment["POSTGRES_PASSWORD"],
		"the tokens' directory is mounted, to be read":  mounts(app, path.Dir(i.argument(t, "--tokens"))+":ro"),
		"the server is reached from this machine alone": slices.Equal(app.Ports, []string{"127.0.0.1:" + i.port + ":" + i.port}),
		"the server waits for a healthy ledger":         app.DependsOn["ledger"].Condition == "service_healthy" && len(ledger.Healthcheck.Test) > 1,
		"the server may do nothing else":                app.ReadOnly && !app.Privileged && slices.Equal(app.CapDrop, []string{"ALL"}),
		"what runs may finish":                          grace > server.DefaultLimits.Grace,
		"the ledger keeps its data":                     mounts(ledger, "/var/lib/postgresql/data") && c.Volumes != nil,
		"only the server reaches the ledger":            len(ledger.Ports) == 0 && slices.Equal(ledger.Networks, []string{"inside"}) && c.Networks["inside"].Internal,
		"the ledger's image names no registry":          ledger.Image != "" && !strings.Contains(ledger.Image, "/"),
	} {
		if !holds {
			t.Errorf("not so in compose.yaml: %s", what)
		}
	}
}

// mounts says whether a volume of the service ends in a place.
func mounts(s composedService, place string) bool {
	return slices.ContainsFunc(s.Volumes, func(volume string) bool { return strings.HasSuffix(volume, ":"+place) })
}
