package scan

import "testing"

func TestEncloses(t *testing.T) {
	s := mcp(`{"name": "store", "inputSchema": {"type": "object", "properties": {
		"count": {}, "counter": {"properties": {"a": {}}},
		"total": {"properties": {"sub": {"properties": {"b": {}}}}},
		"items": {"items": {"properties": {"c": {}}}},
		"sizes": {"additionalProperties": {"properties": {"d": {}}}}}}}`)
	want := map[string]bool{"counter": true, "total": true, "total.sub": true, "items": true, "sizes": true}
	for _, f := range s.tool.Fields {
		if got := s.encloses(f); got != want[f.Path] {
			t.Errorf("%s encloses others: %t, want %t", f.Path, got, want[f.Path])
		}
	}
}

func TestInAddress(t *testing.T) {
	s := mcp(`{"name": "ship", "inputSchema": {"type": "object", "properties": {
		"state": {}, "home": {"properties": {"state": {}, "zip": {}}},
		"work": {"properties": {"country": {}, "city": {}, "street": {}}},
		"job": {"properties": {"state": {}, "city": {}}}}}}`)
	want := map[string]bool{"home": true, "work": true}
	for _, f := range s.tool.Fields {
		if got := s.inAddress(f); got != want[f.Parent] {
			t.Errorf("%s lies in an address: %t, want %t", f.Path, got, want[f.Parent])
		}
	}
}
