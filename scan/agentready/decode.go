package agentready

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// Decode reads exactly one JSON object of a file beside the documents, such as an export
// or a lock, into what into points to. A byte order mark may stand before it. A number of
// no declared type stays as it is written, a [json.Number]. Errors are worded for people
// who do not know Go's types.
func Decode(data []byte, into any) error {
	data = bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff")))
	switch {
	case len(data) == 0:
		return errors.New("it is empty")
	case data[0] == '[':
		return errors.New("it is an array; give one object at a time")
	case data[0] != '{':
		return errors.New("it is not a JSON object")
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if err := dec.Decode(into); err != nil {
		return explain(err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something stands after the JSON object")
	}
	return nil
}

func explain(err error) error {
	var wrongType *json.UnmarshalTypeError
	if errors.As(err, &wrongType) {
		return fmt.Errorf("%s is a JSON %s, want %s", wrongType.Field, wrongType.Value, jsonType(wrongType.Type))
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("it ends in the middle of the JSON object")
	}
	return fmt.Errorf("it is not JSON: %s", strings.TrimPrefix(err.Error(), "json: "))
}

// jsonTypes names the JSON type that a Go kind is read from.
var jsonTypes = map[reflect.Kind]string{
	reflect.String: "a string", reflect.Bool: "a boolean", reflect.Int: "a whole number",
	reflect.Float64: "a number", reflect.Slice: "an array", reflect.Struct: "an object", reflect.Map: "an object",
}

func jsonType(t reflect.Type) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return jsonTypes[t.Kind()]
}
