package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/plumbline-mcp/plumbline/scan/agentready"
)

const completionHelp = `Print a script that has a shell complete commands, flags and values, among them the ids
of contracts in the ledger. For bash its package bash-completion is needed. To load it
in each new shell, in ~/.bashrc or ~/.zshrc (there after compinit), in fish's or
PowerShell's profile:
  bash        source <(plumbline completion bash)
  zsh         source <(plumbline completion zsh)
  fish        plumbline completion fish | source
  powershell  plumbline completion powershell | Out-String | Invoke-Expression`

// completionShells are the shells that a script can be made for.
var completionShells = []struct {
	name  string
	write func(root *cobra.Command, w io.Writer) error
}{
	{"bash", func(root *cobra.Command, w io.Writer) error { return root.GenBashCompletionV2(w, true) }},
	{"zsh", (*cobra.Command).GenZshCompletion},
	{"fish", func(root *cobra.Command, w io.Writer) error { return root.GenFishCompletion(w, true) }},
	{"powershell", (*cobra.Command).GenPowerShellCompletionWithDesc},
}

// newCompletionCmd stands in place of cobra's, whose help is of no width and whose exit
// codes are others.
func newCompletionCmd(p *process) *cobra.Command {
	var names []string
	for _, shell := range completionShells {
		names = append(names, shell.name)
	}
	return &cobra.Command{
		Use:       "completion SHELL",
		Short:     "Print what completes commands in bash, zsh, fish or PowerShell",
		Long:      completionHelp,
		ValidArgs: names,
		Args:      exactly(1, "one shell: "+agentready.Choice(names)),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, shell := range completionShells {
				if shell.name == args[0] {
					return written(shell.write(cmd.Root(), p.stdout))
				}
			}
			return unknown("shell", args[0], names, "plumbline completion -h")
		},
	}
}
