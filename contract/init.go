package contract

import (
	_ "embed"
	"fmt"
)

//go:embed init.contract.json
var starting []byte

// Init gives the text of a contract to start from: valid, with an example of each kind
// that needs no file, and explained by members named note. The error begins with "id" or
// "owner" and says what to write there instead of what was given.
func Init(id, owner string) ([]byte, error) {
	named, err := setHeadMember(starting, "id", quoteText(id))
	if err != nil {
		return nil, err
	}
	if named, err = setHeadMember(named, "owner", quoteText(owner)); err != nil {
		return nil, err
	}
	text, err := Stamp(named, 1)
	if err != nil {
		return nil, err
	}
	if _, report := ParseContract(text); !report.Valid() {
		return nil, startProblem(id, owner, report.Errors()[0])
	}
	return text, nil
}

// startProblem words the problem of an id or an owner that was given.
func startProblem(id, owner string, p Problem) error {
	if p.Path == "/contract/owner" {
		return fmt.Errorf("owner %s: %s", quoteName(owner), p.Fix)
	}
	return fmt.Errorf("id %s: %s", quoteName(id), p.Fix)
}

// Untouched says whether a contract's criteria are still the examples of [Init].
func Untouched(c *Contract) bool {
	v, err := Decode(starting)
	return err == nil && v.Get("criteria").Same(c.Value.Get("criteria"))
}
