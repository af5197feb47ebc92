package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// givenFlag is a flag that is left out, not given empty: what a script has in its place may
// be a variable that nobody set.
type givenFlag struct{ pflag.Value }

// Set takes the text.
func (f givenFlag) Set(s string) error {
	switch {
	case s == "":
		return errors.New("it is empty: give a value, or leave the flag out")
	case strings.TrimSpace(s) == "":
		return errors.New("it is blank: give a value, or leave the flag out")
	}
	return f.Value.Set(s)
}

// refuseEmpty has every flag of a command, and of those below it, that takes any text refuse
// an empty one. Other flags, such as numbers, know what they take.
func refuseEmpty(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		switch f.Value.Type() {
		case "stringArray":
			f.DefValue = "" // the help would show the empty list of a type that pflag does not know
			fallthrough
		case "string":
			f.Value = givenFlag{f.Value}
		}
	})
	for _, below := range cmd.Commands() {
		refuseEmpty(below)
	}
}
