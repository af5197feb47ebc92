package contract

import (
	"bytes"
	"encoding/csv"
	"io"
	"iter"
	"path"
	"strings"
)

// row is one row of an artifact (objects page, section 4). It is good only until the
// next is read.
type row interface {
	// caseID is the id the row has as a case; false where it has none.
	caseID() (string, bool)
	// column is the row's value of a column or member; false where it has none.
	column(key string) (string, bool)
}

// rowReader hands each row of an artifact's bytes to add. It gives false for bytes that
// do not parse, whose rows do not count.
type rowReader func(data []byte, add func(row)) (parsed bool)

// formats are the row readers by extension, in lower case.
var formats = map[string]rowReader{
	".json":   readJSONRows,
	".jsonl":  readJSONLines,
	".ndjson": readJSONLines,
	".csv":    readCSVRows,
	".tsv":    readTSVRows,
}

// readRows hands each row of an artifact's bytes to add, by the extension of its name,
// any unknown one being plain text. It gives false for bytes that do not parse, which
// hold no row.
func readRows(name string, data []byte, add func(row)) (parsed bool) {
	read, ok := formats[strings.ToLower(path.Ext(name))]
	if !ok {
		read = readPlainRows
	}
	return read(bytes.TrimPrefix(data, []byte("\ufeff")), add)
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

func readJSONRows(data []byte, add func(row)) bool {
	return eachItem(data, func(item *Value) { add(jsonRow{item}) })
}

func readJSONLines(data []byte, add func(row)) bool {
	for line := range bytes.Lines(data) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		v, err := Decode(line)
		if err != nil {
			return false
		}
		add(jsonRow{v})
	}
	return true
}

// columnRow is a row of a table with a header; a short one lacks its last columns.
type columnRow struct {
	header header
	fields []string
}

func (r columnRow) caseID() (string, bool) {
	if _, ok := r.header["id"]; ok {
		return r.column("id")
	}
	return r.fields[0], true // a record has at least one field
}

func (r columnRow) column(key string) (string, bool) {
	i, ok := r.header[key]
	if !ok || i >= len(r.fields) {
		return "", false
	}
	return r.fields[i], true
}

// header is where each column stands; of two equal names the first counts.
type header map[string]int

func newHeader(names []string) header {
	h := header{}
	for i, name := range names {
		if _, taken := h[name]; !taken {
			h[name] = i
		}
	}
	return h
}

// table makes rows of records, of which the first is the header.
func table(add func(row)) (addRecord func(fields []string)) {
	var h header
	return func(fields []string) {
		if h == nil {
			h = newHeader(fields)
			return
		}
		add(columnRow{h, fields})
	}
}

// maxColumns is how many separators a record may have. Bytes with more are no table; the
// readers would take many times their size.
const maxColumns = 100_000

// wideCSV says whether a record of RFC 4180 has more than maxColumns commas.
func wideCSV(data []byte) bool {
	quoted, commas := false, 0
	for _, c := range data {
		switch {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '\n':
			commas = 0
		case c == ',':
			commas++
		}
		if commas > maxColumns {
			return true
		}
	}
	return false
}

// keepCRLF writes each CRLF within quotes with another CR in front: the reader takes one
// away, and nothing of a field is trimmed (RFC 4180, section 2, rule 6).
func keepCRLF(data []byte) []byte {
	if !bytes.Contains(data, []byte("\r\n")) {
		return data
	}
	kept := make([]byte, 0, len(data))
	quoted := false
	for i, c := range data {
		if c == '"' {
			quoted = !quoted
		}
		if quoted && bytes.HasPrefix(data[i:], []byte("\r\n")) {
			kept = append(kept, '\r')
		}
		kept = append(kept, c)
	}
	return kept
}

func readCSVRows(data []byte, add func(row)) bool {
	if wideCSV(data) {
		return false
	}
	r := csv.NewReader(bytes.NewReader(keepCRLF(data)))
	r.FieldsPerRecord = -1 // rows may be short
	r.ReuseRecord = true   // rows are not kept
	addRecord := table(add)
	for {
		fields, err := r.Read()
		if err == io.EOF {
			return true
		}
		if err != nil {
			return false
		}
		addRecord(fields)
	}
}

func readTSVRows(data []byte, add func(row)) bool {
	addRecord := table(add)
	for line := range textLines(data) {
		if strings.Count(line, "\t") > maxColumns {
			return false
		}
		if line != "" {
			addRecord(strings.Split(line, "\t"))
		}
	}
	return true
}

// plainRow is a line of plain text. It has no columns.
type plainRow string

func (r plainRow) caseID() (string, bool)       { return strings.TrimSpace(string(r)), true }
func (r plainRow) column(string) (string, bool) { return "", false }

func readPlainRows(data []byte, add func(row)) bool {
	for line := range textLines(data) {
		if strings.TrimSpace(line) != "" {
			add(plainRow(line))
		}
	}
	return true
}

// textLines gives each line without its end, LF or CRLF.
func textLines(data []byte) iter.Seq[string] {
	return func(yield func(string) bool) {
		for line := range strings.Lines(string(data)) {
			line = strings.TrimSuffix(line, "\n")
			if !yield(strings.TrimSuffix(line, "\r")) {
				return
			}
		}
	}
}
