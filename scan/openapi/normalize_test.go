package openapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"testing"
)

// FuzzNormalize holds that the normalizer takes exactly what encoding/json takes,
// and that what it writes means the same.
func FuzzNormalize(f *testing.F) {
	for _, seed := range []string{
		`{}`, `[]`, `{"a":1,"b":[true,false,null,-1.5e+3,"x"]}`, `{"a":"\/\ud83d\ude00\ud800\u0041\"\\\b\f\n\r\t"}`,
		"{\"a\"\n:1,\r\"b\"\t: 2}", "\t{\"\x7f\u2028\u0085\ufeff\": \"\uffff\"}\r\n", `{"a":1,}`, `[1,]`, `{"a" 1}`, `{1:2}`, `[01]`, `[1.]`,
		`["\x"]`, `["\u12"]`, `["\u+123"]`, `["`, `["\`, "[\"\n\"]", `{"a":{}}}`, `{"a":[}`, `nul`, `{} {}`, `[1 2]`, `[,1]`, `:`, `[tru]`, `{"a":tru"b"}`,
		`{"a":1e400}`, `[1:2]`, `{"a":"b":"c"}`, `{"a"}`, `{,}`, `""`, `"a" "b"`, `-`, `[-]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if checkText(data) != nil {
			return // refused before
		}
		got, err := normalize(data)
		if valid := json.Valid(data); valid != (err == nil) {
			var want error
			if valid && !errors.Is(err, errNotJSON) {
				return // too deep
			}
			t.Fatalf("normalize(%q) = %v, want %v (valid JSON: %v)", data, err, want, valid)
		}
		if err != nil {
			return
		}
		if !reflect.DeepEqual(value(t, data), value(t, got.data)) {
			t.Errorf("%q became %q", data, got.data)
		}
	})
}

func value(t *testing.T, data []byte) any {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("%q: %v", data, err)
	}
	return v
}
