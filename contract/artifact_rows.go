package contract

import (
	"bytes"
	"encoding/csv"
	"path"
	"strings"
)

// row is one row of an artifact (objects page, section 4).
type row interface {
	// caseID is the id the row has as a case; false where it has none.
	caseID() (string, bool)
	// column is the row's value of a column or member; false where it has none.
	column(key string) (string, bool)
}

// formats are the row readers by extension, in lower case. A reader gives false for
// bytes that do not parse.
var formats = map[string]func(data []byte) ([]row, bool){
	".json":   jsonArrayRows,
	".jsonl":  jsonLineRows,
	".ndjson": jsonLineRows,
	".csv":    csvRows,
	".tsv":    tsvRows,
}

// readRows gives the rows of an artifact's bytes by the extension of its name, any
// unknown one being plain text. Bytes that do not parse hold no row.
func readRows(name string, data []byte) []row {
	read, ok := formats[strings.ToLower(path.Ext(name))]
	if !ok {
		read = plainRows
	}
	rows, ok := read(bytes.TrimPrefix(data, []byte("\ufeff")))
	if !ok {
		return nil
	}
	return rows
}

// jsonRow is a value of a JSON array or a line of JSON lines.
type jsonRow struct{ value *Value }

func (r jsonRow) caseID() (string, bool) {
	if r.value.Type() == Object {
		return r.column("id")
	}
	return nameOf(r.value)
}

func (r jsonRow) column(key string) (string, bool) {
	return nameOf(r.value.Get(key))
}

// nameOf is what a JSON value names: a string itself, a number by its canonical
// text, others nothing.
func nameOf(v *Value) (string, bool) {
	if v.Type() == Number {
		return string(v.Canonical()), true
	}
	return v.Text()
}

func jsonArrayRows(data []byte) ([]row, bool) {
	v, err := Decode(data)
	if err != nil || v.Type() != Array {
		return nil, false
	}
	rows := make([]row, len(v.Items))
	for i, e := range v.Items {
		rows[i] = jsonRow{e}
	}
	return rows, true
}

func jsonLineRows(data []byte) ([]row, bool) {
	var rows []row
	for line := range bytes.Lines(data) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		v, err := Decode(line)
		if err != nil {
			return nil, false
		}
		rows = append(rows, jsonRow{v})
	}
	return rows, true
}

// columnRow is a row of a table with a header; a short one lacks its last columns.
type columnRow struct {
	header *header
	fields []string
}

func (r columnRow) caseID() (string, bool) {
	if _, ok := r.header.index["id"]; ok {
		return r.column("id")
	}
	if len(r.fields) == 0 {
		return "", false
	}
	return r.fields[0], true
}

func (r columnRow) column(key string) (string, bool) {
	i, ok := r.header.index[key]
	if !ok || i >= len(r.fields) {
		return "", false
	}
	return r.fields[i], true
}

// header is where each column stands.
type header struct{ index map[string]int }

// tableRows are the records after the first, which names the columns; of two equal
// names the first counts.
func tableRows(records [][]string) []row {
	if len(records) == 0 {
		return nil
	}
	h := &header{index: map[string]int{}}
	for i, name := range records[0] {
		if _, taken := h.index[name]; !taken {
			h.index[name] = i
		}
	}
	rows := make([]row, len(records)-1)
	for i, fields := range records[1:] {
		rows[i] = columnRow{h, fields}
	}
	return rows
}

func csvRows(data []byte) ([]row, bool) {
	r := csv.NewReader(bytes.NewReader(data))
	r.FieldsPerRecord = -1 // rows may be short
	records, err := r.ReadAll()
	if err != nil {
		return nil, false
	}
	return tableRows(records), true
}

func tsvRows(data []byte) ([]row, bool) {
	var records [][]string
	for line := range textLines(data) {
		if line != "" {
			records = append(records, strings.Split(line, "\t"))
		}
	}
	return tableRows(records), true
}

// plainRow is a line of plain text. It has no columns.
type plainRow string

func (r plainRow) caseID() (string, bool)       { return strings.TrimSpace(string(r)), true }
func (r plainRow) column(string) (string, bool) { return "", false }

func plainRows(data []byte) ([]row, bool) {
	var rows []row
	for line := range textLines(data) {
		if strings.TrimSpace(line) != "" {
			rows = append(rows, plainRow(line))
		}
	}
	return rows, true
}

// textLines gives each line without its end, LF or CRLF.
func textLines(data []byte) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for line := range strings.Lines(string(data)) {
			line = strings.TrimSuffix(line, "\n")
			if !yield(strings.TrimSuffix(line, "\r")) {
				return
			}
		}
	}
}
