package contract

import (
	"bytes"
	"embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

//go:embed schema/*.schema.json
var schemaFiles embed.FS

// The names of the schemas, as [Schema] takes them.
const (
	SchemaContract = "aac"
	SchemaRound    = "agc"
	SchemaChain    = "chain"
	SchemaDone     = "done"
)

var schemaNames = []string{SchemaContract, SchemaRound, SchemaChain, SchemaDone}

// SchemaNames gives the names of the objects that have a JSON Schema.
func SchemaNames() []string { return slices.Clone(schemaNames) }

// Schema gives the JSON Schema (draft 2020-12) of an object by its name; false for a
// name that is none of [SchemaNames]. Each schema stands alone: that of the chain
// holds those of contract and round. The caller owns the bytes.
func Schema(name string) ([]byte, bool) {
	if !slices.Contains(schemaNames, name) {
		return nil, false
	}
	text, err := schemaFiles.ReadFile("schema/" + name + ".schema.json")
	return text, err == nil
}

// schemaSet is the schemas in the two forms they are used in.
type schemaSet struct {
	compiled map[string]*jsonschema.Schema // by name
	texts    map[string]*Value             // by $id, for what a schema says of a value in words
}

// schemas compiles all schemas, once. They are part of the program, so that one which
// does not compile is a programming error, which any test of this package finds.
var schemas = sync.OnceValue(func() *schemaSet {
	set := &schemaSet{compiled: map[string]*jsonschema.Schema{}, texts: map[string]*Value{}}
	for _, name := range schemaNames {
		text, _ := Schema(name)
		doc, err := Decode(text)
		if err != nil {
			panic(fmt.Sprintf("schema %s: %v", name, err))
		}
		id, _ := doc.Get("$id").Text()
		set.texts[id] = doc
		// One compiler each: a chain's schema holds others under their own ids.
		compiler := jsonschema.NewCompiler()
		compiler.Draft = jsonschema.Draft2020
		compiler.AssertFormat = true
		if err := compiler.AddResource(id, bytes.NewReader(text)); err != nil {
			panic(fmt.Sprintf("schema %s: %v", name, err))
		}
		set.compiled[name] = compiler.MustCompile(id)
	}
	return set
})

// keyword finds the schema that holds a keyword, by the absolute location that a
// validation error gives: an $id, "#" and the keyword's JSON Pointer.
func (s *schemaSet) keyword(location string) (schema *Value, keyword string) {
	id, pointer, _ := strings.Cut(location, "#")
	parent, keyword := pointer, ""
	if i := strings.LastIndexByte(pointer, '/'); i >= 0 {
		parent, keyword = pointer[:i], pointer[i+1:]
	}
	return s.texts[id].At(parent), keyword
}

// resolve follows a schema's local reference, if it is one.
func resolve(schema *Value) *Value {
	ref, _ := schema.Get("$ref").Text()
	if pointer, local := strings.CutPrefix(ref, "#"); local {
		return schema.root().At(pointer)
	}
	return schema
}

// description is what a schema says of its value: what it is, what it is for, and how to come
// by one, where nobody can write it by hand.
type description struct{ value, meaning, fix string }

func described(schema *Value) description {
	say := func(name string) string {
		text, _ := schema.Get(name).Text()
		if text == "" {
			text, _ = resolve(schema).Get(name).Text()
		}
		return text
	}
	return description{say("x-value"), say("description"), say("x-fix")}
}
