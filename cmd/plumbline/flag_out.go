package main

import "github.com/spf13/pflag"

// stdoutArg is what stands for stdout where a flag names the file to write.
const stdoutArg = "-"

// outFlag is the file that a command writes, or empty for stdout.
type outFlag struct{ file *string }

func (f outFlag) String() string {
	if f.file == nil {
		return ""
	}
	return *f.file
}

func (f outFlag) Type() string { return "string" }

// Set takes a file, or - for stdout.
func (f outFlag) Set(s string) error {
	if *f.file = s; s == stdoutArg {
		*f.file = ""
	}
	return nil
}

// addOut declares --out of a command that writes what to a file, or else to stdout.
func addOut(flags *pflag.FlagSet, file *string, what string) {
	flags.Var(outFlag{file}, "out", "write the "+what+" to `FILE`, not to stdout")
}
