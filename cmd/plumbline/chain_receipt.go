package main

import (
	"context"
	"crypto/ed25519"

	"github.com/spf13/pflag"

	"github.com/plumbline-mcp/plumbline/contract/ledger"
)

// keptReceipt is a receipt that was kept elsewhere, which a chain is held against.
type keptReceipt struct {
	file, keyFile string

	receipt *ledger.Receipt // nil where none is given
	key     ed25519.PublicKey
}

func addReceipt(f *pflag.FlagSet) *keptReceipt {
	kept := &keptReceipt{}
	f.StringVar(&kept.file, "receipt", "", "a receipt that was kept elsewhere, as `FILE`: its JSON, or that of the answer that has it")
	f.StringVar(&kept.keyFile, "key", "", "with --receipt: the Ed25519 key, in PEM, that the server's --signing-key is or belongs to, as `FILE`")
	return kept
}

// check refuses flags that do not go together.
func (k *keptReceipt) check(changed func(flag string) bool) error {
	switch {
	case changed("receipt") && changed("head"):
		return usagef("--receipt and --head are both given: the receipt has its own hash")
	case changed("key") && !changed("receipt"):
		return usagef("--key is for a receipt: give one with --receipt FILE")
	}
	return nil
}

// read reads the files that are given.
func (k *keptReceipt) read(ctx context.Context, p *process) error {
	if k.file == "" {
		return nil
	}
	given, err := p.readObject(ctx, maxObject, k.file)
	if err != nil {
		return err
	}
	receipt, err := ledger.ReadReceipt(given.text)
	if err != nil {
		return refusal(ledger.Within(given.name, err))
	}
	k.receipt = &receipt
	if k.keyFile != "" {
		k.key, err = ledger.ReadVerifyingKey(k.keyFile)
	}
	return refusal(err)
}

// hold holds a verified chain against the receipt, if there is one.
func (k *keptReceipt) hold(found *ledger.Verification) {
	if k.receipt != nil {
		found.Hold(*k.receipt, k.key)
	}
}
