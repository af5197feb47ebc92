package contract_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/plumbline-mcp/plumbline/contract"
)

func TestDecodeRefuses(t *testing.T) {
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for _, c := range []struct {
		name, text   string
		line, column int
		message      string
	}{
		{"nothing", "", 1, 1, "the text ends"},
		{"white space", " \n\t", 2, 2, "the text ends"},
		{"invalid UTF-8 in a string", "{\n \"é\": \"a\xffb\"}", 2, 10, "0xff is not UTF-8"},
		{"invalid UTF-8 in a name", "{\"\xc3\": 1}", 1, 3, "0xc3 is not UTF-8"},
		{"invalid UTF-8 outside", "\xfe\xff", 1, 1, "0xfe is not UTF-8"},
		{"a surrogate as UTF-8", "\"\xed\xa0\x80\"", 1, 2, "0xed is not UTF-8"},
		{"an overlong form", "\"\xc0\xaf\"", 1, 2, "0xc0 is not UTF-8"},
		{"two members of one name", `{"a":1,"b":2,"a":3}`, 1, 14, `second member "a"`},
		{"two members of one name, escaped", "{\"a\":1,\n\"\\u0061\":2}", 2, 1, `second member "a"`},
		{"two among many", "{" + manyMembers(40) + `"m17":0}`, 1, 1 + len("{"+manyMembers(40)), `second member "m17"`},
		{"two members inside", `[{"x":{"y":1,"y":1}}]`, 1, 14, `second member "y"`},
		{"a high surrogate alone", `["\ud83d"]`, 1, 3, "surrogate"},
		{"a low surrogate alone", `["ab\ude00"]`, 1, 5, "surrogate"},
		{"surrogates the wrong way round", `"\ude00\ud83d"`, 1, 2, "surrogate"},
		{"a high surrogate before a letter", `"\ud83d\u0041"`, 1, 2, "surrogate"},
		{"an overflow", `{"n": 1e309}`, 1, 7, "too large"},
		{"a negative overflow", `-1e400`, 1, 1, "too large"},
		{"an overflow by digits", strings.Repeat("9", 400), 1, 1, "too large"},
		{"too deep", nested(513), 1, 513, "deeper than 512"},
		{"too deep in objects", strings.Repeat(`{"a":`, 512) + "[]" + strings.Repeat("}", 512), 1, 512*5 + 1, "deeper than 512"},
		{"text behind", `{} {}`, 1, 4, "text follows"},
		{"a bracket behind", "[]\n]", 2, 1, "text follows"},
		{"a second byte order mark", "\ufeff\ufeff{}", 1, 1, `"\ufeff" stands where a value`},
		{"a byte order mark behind", "{}\ufeff", 1, 3, "text follows"},
		{"a place behind a byte order mark", "\ufeff[x]", 1, 2, `"x" stands where a value`},
		{"a trailing comma", `[1,]`, 1, 4, "where a value"},
		{"a trailing comma in an object", `{"a":1,}`, 1, 8, "where a member's name"},
		{"no colon", `{"a" 1}`, 1, 6, "where a colon"},
		{"no comma", `[1 2]`, 1, 4, "where a comma"},
		{"an open array", `[1`, 1, 3, "the text ends"},
		{"an open string", `"abc`, 1, 5, "the text ends"},
		{"an open escape", `"abc\`, 1, 6, "the text ends"},
		{"a comment", "[// no\n]", 1, 2, `"/" stands where`},
		{"single quotes", `{'a':1}`, 1, 2, "where a member's name"},
		{"a raw line break in a string", "\"a\nb\"", 1, 3, "control character 0x0a"},
		{"NUL", "\x00", 1, 1, `"\x00" stands where`},
		{"an unknown escape", `"a\qb"`, 1, 3, "not a JSON escape"},
		{"a short escape", `"\u12g4"`, 1, 2, "not a JSON escape"},
		{"a signed escape", `"\u+123"`, 1, 2, "not a JSON escape"},
		{"a leading zero", `[01]`, 1, 2, "not a JSON number"},
		{"a leading plus", `+1`, 1, 1, `"+" stands where`},
		{"a point without digits", `1.`, 1, 1, "not a JSON number"},
		{"an exponent without digits", `1e+`, 1, 1, "not a JSON number"},
		{"a minus alone", `-`, 1, 1, "not a JSON number"},
		{"a hexadecimal number", `0x10`, 1, 2, "text follows"},
		{"not a number", `NaN`, 1, 1, `"N" stands where`},
		{"a capital literal", `True`, 1, 1, `"T" stands where`},
		{"a line break counted in bytes", "[\"é\",\r\n  \"日\" x]", 2, 9, `"x" stands where`},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, err := contract.Decode([]byte(c.text))
			var refused *contract.SyntaxError
			if !errors.As(err, &refused) {
				t.Fatalf("got %v, error %v; want a syntax error", v, err)
			}
			if refused.Line != c.line || refused.Column != c.column {
				t.Errorf("place %d:%d, want %d:%d", refused.Line, refused.Column, c.line, c.column)
			}
			if !strings.Contains(refused.Message, c.message) {
				t.Errorf("message %q, want one with %q", refused.Message, c.message)
			}
			if refused.Hint == "" {
				t.Error("no hint")
			}
		})
	}
}

func manyMembers(n int) string {
	var out strings.Builder
	for i := range n {
		out.WriteString(`"m` + string(rune('0'+i/10)) + string(rune('0'+i%10)) + `":0,`)
	}
	return out.String()
}

func TestDecodeAccepts(t *testing.T) {
	for _, c := range []struct{ name, text, canonical string }{
		{"a byte order mark", "\ufeff{}", "{}"},
		{"512 levels", strings.Repeat("[", 512) + "1" + strings.Repeat("]", 512), strings.Repeat("[", 512) + "1" + strings.Repeat("]", 512)},
		{"an underflow", `[5e-999, -1e-400]`, `[0,0]`},
		{"names that differ in letter case", `{"Owner":1,"owner":2}`, `{"Owner":1,"owner":2}`},
		{"a replacement character", `"\ufffd"`, `"` + "\ufffd" + `"`},
		{"a noncharacter", `"\uffff"`, `"` + "\uffff" + `"`},
		{"NUL, escaped", `"\u0000"`, `"\u0000"`},
		{"white space all around", " \t\r\n[ 1 ]\n", "[1]"},
		{"many members", "{" + manyMembers(40) + `"z":1}`, "{" + manyMembers(40) + `"z":1}`},
		{"a name as JavaScript objects have", `{"__proto__":1,"constructor":2}`, `{"__proto__":1,"constructor":2}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := contract.Canonical([]byte(c.text))
			if err != nil || string(got) != c.canonical {
				t.Errorf("got %s, error %v; want %s", got, err, c.canonical)
			}
		})
	}
}

func TestValuesKnowTheirPlace(t *testing.T) {
	v, err := contract.Decode([]byte("\ufeff{\n  \"a/b\": [true,\n    {\"~\": \"é\", \"x\": 1.50}]\n}"))
	if err != nil {
		t.Fatal(err)
	}
	x := v.Get("a/b").Items[1].Get("x")
	line, column := x.Position()
	if x.Pointer() != "/a~1b/1/x" || line != 3 || column != 22 || string(x.Raw()) != "1.50" {
		t.Errorf("%s at %d:%d is %s, want /a~1b/1/x at 3:22 is 1.50", x.Pointer(), line, column, x.Raw())
	}
	if tilde := v.Get("a/b").Items[1].Get("~"); tilde.Pointer() != "/a~1b/1/~0" {
		t.Errorf("pointer %s, want /a~1b/1/~0", tilde.Pointer())
	}
	if missing := v.Get("none").Get("deeper"); missing.Type() != contract.Absent || missing.Pointer() != "" {
		t.Errorf("an absent value is %v at %q", missing.Type(), missing.Pointer())
	}
}

func TestDecodeBoundsTheNumberOfValues(t *testing.T) {
	ones := func(n int) []byte { return []byte("[" + strings.Repeat("1,", n-1) + "1]") }
	if v, err := contract.Decode(ones(contract.MaxValues - 1)); err != nil || len(v.Items) != contract.MaxValues-1 {
		t.Errorf("as many values as are allowed: %v", err)
	}
	for name, text := range map[string][]byte{
		"numbers": ones(contract.MaxValues), "arrays that nobody closes": []byte("[[]" + strings.Repeat(",[]", contract.MaxValues)),
		"members": []byte(`{"a": [` + strings.Repeat(`{"b": 1},`, contract.MaxValues/2)),
	} {
		_, err := contract.Decode(text)
		var refused *contract.SyntaxError
		if !errors.As(err, &refused) || !strings.Contains(refused.Message, "more than 1000000 values") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
