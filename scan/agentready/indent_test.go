package agentready

import (
	"bufio"
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The layout is that of encoding/json, for texts of every kind.
func TestIndenterLaysOutAsEncodingJSON(t *testing.T) {
	for _, compact := range []string{
		`{}`, `[]`, `1`, `"a"`, `[1,2]`, `{"a":{}}`, `{"a":[],"b":[{}],"c":[[]]}`,
		`{"a":"x,y:z{}[]","b":"q\"u\\","c\"":null,"d":[true,false,-1.5e3]}`,
		`{"a":"\\","b":"\\\"","c":""}`, `["\u2028","ä","\ud83d\ude00"]`,
	} {
		var want bytes.Buffer
		if err := json.Indent(&want, []byte(compact), "", "  "); err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		out := bufio.NewWriter(&got)
		if _, err := (indenter{out}).Write([]byte(compact)); err != nil {
			t.Fatal(err)
		}
		out.Flush()
		if diff := cmp.Diff(want.String(), got.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", compact, diff)
		}
	}
}
