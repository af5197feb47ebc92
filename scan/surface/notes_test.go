package surface_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plumbline-mcp/plumbline/scan/surface"
)

func TestNoteListWritesOutSomeAndCountsTheRest(t *testing.T) {
	for _, c := range []struct {
		add  []string
		want []string
	}{
		{nil, nil},
		{[]string{"a", "b", "a"}, []string{"a", "b"}},
		{[]string{"a", "b", "c"}, []string{"a", "b", "c"}},
		{[]string{"a", "b", "c", "a", "d", "b", "e"}, []string{"a", "b", "c", "2 more remarks were left out; correct the first ones and scan again"}},
	} {
		list := surface.NewNoteList(3)
		for i, text := range c.add {
			list.Add(surface.Note{Text: text})
			list.Notes() // asking changes nothing
			if n := len(list.Notes()); n > 4 {
				t.Fatalf("%d notes after %d", n, i+1)
			}
		}
		var got []string
		for _, n := range list.Notes() {
			got = append(got, n.Text)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%v (-want +got):\n%s", c.add, diff)
		}
	}
	places := surface.NewNoteList(3)
	for line := range 2 {
		places.Add(surface.Note{Text: "a", Pos: surface.Position{Line: line}})
	}
	if len(places.Notes()) != 2 {
		t.Error(fmt.Sprint("the same text at another place is another note: ", places.Notes()))
	}
}
