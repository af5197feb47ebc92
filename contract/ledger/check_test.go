package ledger

import (
	"path/filepath"
	"strings"
	"testing"
)

// A DSN that no ledger can have is found before anything is opened or made.
func TestCheckDSN(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	for dsn, says := range map[string]string{
		"sqlite:" + dir + "/ledger.db":                   "",
		"postgres://plumbline@db.example/plumbline":      "",
		"postgresql://db.example:5433/x?sslmode=disable": "",
		"":                                      "no scheme that is known",
		"secret":                                "no scheme that is known",
		"mysql://u:secret@db.example/x":         "no scheme that is known",
		"sqlite:":                               "names no file",
		"sqlite::memory:":                       "names no file",
		"sqlite:///srv/secret.db":               "has // before its path",
		"postgres:u:secret@db.example/x":        "no // behind its scheme",
		"postgres://u:secret@db.example:port/x": "not one of Postgres",
		"postgres://db.example/x?sslmode=verify-full&sslrootcert=/x": "a file that it names cannot be read",
	} {
		err := CheckDSN(dsn)
		if says == "" {
			if err != nil {
				t.Errorf("%s: %v", dsn, err)
			}
			continue
		}
		if e := wantCode(t, err, BadArgument); !strings.Contains(e.Error(), says) || strings.Contains(e.Error(), "secret") {
			t.Errorf("%s gives %v, want %q", dsn, e, says)
		}
	}
	if found, err := exists(dir); found || err != nil {
		t.Error("the directory of a ledger was made")
	}
}
