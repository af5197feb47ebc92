package contract

import (
	_ "embed"
	"errors"
)

//go:embed init.contract.json
var starting []byte

// Init gives the text of a contract to start from: valid, with an example of each kind
// that needs no file, and explained by members named note. The error says what is wrong with the id
// or the owner.
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
		first := report.Errors()[0]
		return nil, errors.New(first.Message + ": " + first.Fix)
	}
	return text, nil
}
