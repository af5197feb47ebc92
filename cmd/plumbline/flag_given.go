package main

import (
	"errors"
	"strings"
)

// givenFlag is the text of a flag that is left out, not given empty: what a script has in
// its place may be a variable that nobody set.
type givenFlag struct{ text *string }

// Set takes the text.
func (f givenFlag) Set(s string) error {
	switch {
	case s == "":
		return errors.New("it is empty: give a value, or leave the flag out")
	case strings.TrimSpace(s) == "":
		return errors.New("it is blank: give a value, or leave the flag out")
	}
	*f.text = s
	return nil
}

// String gives the text.
func (f givenFlag) String() string {
	if f.text == nil { // as pflag asks a zero value
		return ""
	}
	return *f.text
}

// Type names the type to pflag.
func (f givenFlag) Type() string { return "string" }
