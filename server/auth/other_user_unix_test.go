//go:build unix

package auth

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/plumbline-mcp/plumbline/tools"
)

// addedBy names the tokens file for a test process that adds one token as another user.
const addedBy = "PLUMBLINE_TEST_TOKENS"

func TestMain(m *testing.M) {
	if path := os.Getenv(addedBy); path != "" {
		if _, _, err := Add(path, Grant{Name: "another", Role: tools.Builder}); err != nil {
			os.Stderr.WriteString(err.Error())
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

const nobody, stranger = 65534, 65531 // users, the second of which is in no list

// addAs adds a token as a user of the group nobody, and gives what that says.
func addAs(t *testing.T, uid uint32, path string) string {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(filepath.Dir(path), "program") // where others may run it
	from, err := os.Open(program)
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	to, err := os.OpenFile(copied, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o755)
	if err == nil {
		_, err = io.Copy(to, from)
		err = errors.Join(err, to.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(copied)
	cmd.Env = []string{addedBy + "=" + path}
	cmd.Dir = filepath.Dir(path)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: nobody}}
	said, err := cmd.CombinedOutput()
	if (err == nil) != (len(said) == 0) {
		t.Fatalf("%v: %s", err, said)
	}
	return string(said)
}

// Whoever made the file, and added to it first, another user adds a token where the file is
// given to them, or their group may read it and its owner too; else it stays as it was.
func TestAddByOthers(t *testing.T) {
	if os.Geteuid() != 0 {
		if os.Getenv("CI") != "" {
			t.Fatal("only root can act as others: run the tests as root")
		}
		t.Skip("only root can act as others")
	}
	for name, tt := range map[string]struct {
		owner, by uint32
		mode      os.FileMode
		want      string
	}{
		"the owner":             {nobody, nobody, 0o600, ""},
		"one of the group":      {0, stranger, 0o640, ""},
		"of the same group":     {nobody, stranger, 0o640, ""},
		"an owner not in it":    {stranger, nobody, 0o640, "it cannot be written"},
		"a file of its owner's": {0, nobody, 0o600, "permission denied"},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, "tokens.json")
		first := add(t, path, Grant{Name: "first", Role: tools.Owner})
		if err := errors.Join(os.Chown(path, int(tt.owner), nobody), os.Chmod(path, tt.mode),
			os.Chown(dir, 0, nobody), os.Chmod(dir, 0o770), os.Chmod(filepath.Dir(dir), 0o755)); err != nil {
			t.Fatal(err)
		}
		said := addAs(t, tt.by, path)
		if (said == "") != (tt.want == "") || !strings.Contains(said, tt.want) {
			t.Errorf("%s: it says %q, want %q", name, said, tt.want)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if stat := info.Sys().(*syscall.Stat_t); info.Mode().Perm() != tt.mode || stat.Gid != nobody {
			t.Errorf("%s: the file has mode %v and group %d", name, info.Mode(), stat.Gid)
		}
		if got, err := readAsRoot(path); err != nil || len(got) != 1+map[bool]int{true: 1}[said == ""] || got[0].SHA256 != digestOf(first) {
			t.Errorf("%s: the file holds %q, %v", name, names(got), err)
		}
	}
}

// readAsRoot reads a file whatever group may read it, too.
func readAsRoot(path string) ([]Entry, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	f, err := parse(data)
	if err != nil {
		return nil, err
	}
	return f.Tokens, nil
}
