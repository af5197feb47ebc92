package tools

import (
	"bytes"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
)

func TestReadBounded(t *testing.T) {
	const limit = 100_000
	for _, size := range []int{0, 1, 511, 512, 513, limit - 1, limit, limit + 1, 3 * limit} {
		want := bytes.Repeat([]byte("ab"), size)[:size]
		name := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(name, want, 0o600); err != nil {
			t.Fatal(err)
		}
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		for what, r := range map[string]io.Reader{
			"file": file, "bytes": bytes.NewReader(want), "one byte": iotest.OneByteReader(bytes.NewReader(want)),
			"data with the end": iotest.DataErrReader(bytes.NewReader(want)),
		} {
			got, err := ReadBounded(r, limit)
			if size > limit {
				if !errors.Is(err, ErrTooLarge) {
					t.Errorf("%s of %d bytes: error %v, want ErrTooLarge", what, size, err)
				}
			} else if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s of %d bytes: %d bytes, %v", what, size, len(got), err)
			}
		}
	}
	if got, err := ReadBounded(strings.NewReader("ab"), math.MaxInt64); err != nil || string(got) != "ab" {
		t.Errorf("under the largest limit: %q, %v", got, err)
	}
	broken := errors.New("broken")
	if _, err := ReadBounded(iotest.ErrReader(broken), limit); !errors.Is(err, broken) {
		t.Errorf("error %v, want the reader's", err)
	}
}
