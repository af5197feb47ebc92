package node

import (
	"regexp"
	"strconv"

	"github.com/plumbline-mcp/plumbline/scan/surface"
)

// yamlPlace finds the position, where there is one, and the reason in an error of
// the YAML parser.
var yamlPlace = regexp.MustCompile(` at (?:L(\d+)\.C(\d+)\S*|<[^>]*>): (.*)$`)

// quotedName is a name of the document that the parser repeats; the caller may have
// named any file, so it is left out.
var quotedName = regexp.MustCompile(` '[^']{2,}'`)

// YAMLError words an error of the YAML parser, or nil where it gave no reason, with its
// place.
func YAMLError(err error) *surface.ReadError {
	broken := &surface.ReadError{Message: "the document is not valid YAML", Hint: "correct the YAML there"}
	if err == nil {
		return broken
	}
	if m := yamlPlace.FindStringSubmatch(err.Error()); m != nil {
		broken.Line, _ = strconv.Atoi(m[1])
		broken.Column, _ = strconv.Atoi(m[2])
		broken.Message += ": " + quotedName.ReplaceAllString(m[3], "")
	}
	return broken
}
