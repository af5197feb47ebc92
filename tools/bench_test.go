package tools_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plumbline-mcp/plumbline/contract"
	"github.com/plumbline-mcp/plumbline/contract/ledger"
	"github.com/plumbline-mcp/plumbline/tools"
)

// bench runs a tool's handler over and over; arguments may differ from call to call.
func bench(b *testing.B, store *tools.Store, name string, arguments func(i int) string) {
	ctx := tools.WithCaller(context.Background(), tools.Caller{Name: "jane", Role: tools.Judge})
	for _, tool := range tools.All(tools.Deps{Ledger: store}) {
		if tool.Definition.Name != name {
			continue
		}
		for i := 0; b.Loop(); i++ {
			answer, err := tool.Run(ctx, json.RawMessage(arguments(i)))
			if err != nil {
				b.Fatal(err)
			}
			if _, err := tools.Encode(answer); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// benchStore is a ledger with one contract of n criteria.
func benchStore(b *testing.B, n int) (*tools.Store, *contract.Contract) {
	criteria := make([]string, n)
	for i := range criteria {
		criteria[i] = fmt.Sprintf(`{"id":"c%[1]d","class":"c%[1]d","kind":"enumerable","statement":"The listed cases end as stated.","cases":["a","b"],"checks":[{"type":"command","run":"go test ./c%[1]d"}]}`, i)
	}
	text, err := contract.Stamp([]byte(`{"aac":"0.1.0","contract":{"id":"bench","revision":1,"fingerprint":"","owner":"olga"},"budget":{"extensions":2},"criteria":[`+strings.Join(criteria, ",")+`]}`), 1)
	if err != nil {
		b.Fatal(err)
	}
	dsn := "sqlite:" + filepath.Join(b.TempDir(), "ledger.db")
	store := tools.NewStore(func(ctx context.Context) (*ledger.Ledger, error) { return ledger.Open(ctx, dsn) })
	b.Cleanup(func() { store.Close() })
	l, err := store.Ledger(tools.WithCaller(context.Background(), tools.Caller{Name: "olga", Role: tools.Owner}))
	if err != nil {
		b.Fatal(err)
	}
	r, err := l.Register(context.Background(), ledger.Caller{Name: "olga", Role: contract.ActorOwner}, text, nil)
	if err != nil || r.Receipt == nil {
		b.Fatal(err, r)
	}
	return store, r.Contract
}

func BenchmarkRenderBrief(b *testing.B) {
	store, _ := benchStore(b, 20)
	bench(b, store, "render_brief", func(int) string { return `{"role":"judge","contract_id":"bench"}` })
}

func BenchmarkValidateContract(b *testing.B) {
	store, c := benchStore(b, 20)
	given := `{"contract":` + string(c.Text) + `}`
	bench(b, store, "validate_contract", func(int) string { return given })
}

func BenchmarkCheckRoundRecorded(b *testing.B) {
	store, c := benchStore(b, 20)
	bench(b, store, "check_round", func(i int) string {
		return fmt.Sprintf(`{"contract_id":"bench","record":true,"submission":"%d","round":{"agc":"0.1.0","gate":{"version":%q},"verdict":"pass","findings":[]}}`, i, c.Fingerprint)
	})
}

func BenchmarkChainStatus(b *testing.B) {
	store, _ := benchStore(b, 20)
	bench(b, store, "chain_status", func(int) string { return `{"contract_id":"bench"}` })
}
