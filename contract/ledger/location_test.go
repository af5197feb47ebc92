package ledger

import (
	"os"
	"path/filepath"
	"testing"
)

// tree makes files, a path and its content each; a path that ends in / is a directory.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, content := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestDefaultDSN(t *testing.T) {
	root := tree(t, map[string]string{
		"repo/.git/HEAD":                       "ref: refs/heads/main\n",
		"repo/.git/worktrees/side/HEAD":        "ref: refs/heads/side\n",
		"repo/.git/worktrees/side/commondir":   "../..\n",
		"repo/below/deep/file":                 "",
		"repo/sub/.git/config":                 "its HEAD cannot be read",
		"repo/module/.git":                     "gitdir: ../.git/modules/module\n",
		"repo/.git/modules/module/HEAD":        "x",
		"repo/nested/.git/config":              "no repository: it has no HEAD",
		"side/.git":                            "gitdir: ../repo/.git/worktrees/side\n",
		"side/pkg/file":                        "",
		"broken/.git":                          "nothing of use",
		"lost/.git":                            "gitdir: ../gone\n",
		"plain/file":                           "",
		"absolute/HEAD":                        "x",
		"absolute/commondir":                   "",
		"state/plumbline/unrelated":            "",
		"repo/.git/worktrees/absolute/ignored": "",
	})
	if err := os.Symlink("HEAD", filepath.Join(root, "repo/sub/.git/HEAD")); err != nil { // which cannot be followed
		t.Fatal(err)
	}
	common := filepath.Join(root, "repo/.git")
	state := filepath.Join(root, "state")
	env := map[string]string{"XDG_STATE_HOME": state, "HOME": filepath.Join(root, "home")}
	for name, test := range map[string]struct {
		dir  string
		env  map[string]string
		want string // the directory in which plumbline/ledger.db lies; empty for an error
	}{
		"at the root":      {"repo", env, common},
		"below it":         {"repo/below/deep", env, common},
		"not there yet":    {"repo/not/there", env, common},
		"worktree":         {"side", env, common},
		"in a worktree":    {"side/pkg", env, common},
		"submodule":        {"repo/module", env, filepath.Join(common, "modules/module")},
		"empty .git":       {"repo/nested", env, common},
		"no repository":    {"plain", env, state},
		"no state home":    {"plain", map[string]string{"HOME": env["HOME"]}, filepath.Join(env["HOME"], ".local/state")},
		"relative state":   {"plain", map[string]string{"HOME": env["HOME"], "XDG_STATE_HOME": "state"}, filepath.Join(env["HOME"], ".local/state")},
		"no home":          {"plain", nil, ""},
		"broken .git":      {"broken", env, ""},
		"unreadable .git":  {"repo/sub", env, ""},
		"gitdir that left": {"lost", env, ""},
	} {
		dsn, err := DefaultDSN(filepath.Join(root, test.dir), func(key string) string { return test.env[key] })
		if test.want == "" {
			if err == nil {
				t.Errorf("%s: got %s", name, dsn)
				continue
			}
			wantCode(t, err, Unavailable)
			continue
		}
		if want := "sqlite:" + filepath.Join(test.want, "plumbline", "ledger.db"); err != nil || dsn != want {
			t.Errorf("%s: got %s, %v, want %s", name, dsn, err, want)
		}
	}
	if _, err := os.Stat(filepath.Join(common, "plumbline")); err == nil {
		t.Error("asking for the place made it")
	}
	fullChain(t, openLedger(t, "sqlite:"+filepath.Join(common, "plumbline", "ledger.db")))
}
