package contract_test

import (
	"testing"

	"github.com/plumbline-mcp/plumbline/contract"
)

func BenchmarkParseContract(b *testing.B) {
	text := []byte(baseFixture)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if c, _ := contract.ParseContract(text); c == nil {
			b.Fatal("the fixture is not JSON")
		}
	}
}

func BenchmarkCanonical(b *testing.B) {
	v, err := contract.Decode([]byte(baseFixture))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		v.Canonical()
	}
}

func BenchmarkBrief(b *testing.B) {
	c, _ := contract.ParseContract([]byte(baseFixture))
	for b.Loop() {
		contract.BriefWithContract(c, contract.Judge)
	}
}
