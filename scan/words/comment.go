package words

import (
	"regexp"
	"strings"
)

const commentStart = "<!--"

// HasComment says whether text holds an HTML comment, which a rendered description
// hides. One shown as code (between backticks, in a fenced block) is visible and does
// not count.
func HasComment(text string) bool {
	if !strings.Contains(text, commentStart) {
		return false
	}
	var fence string // of the open block; empty outside one
	for line := range strings.Lines(text) {
		m := fenceLine.FindStringSubmatch(line)
		switch {
		case fence == "" && m != nil:
			fence = m[1]
			if strings.Contains(m[2], commentStart) {
				return true // what stands beside the fence is not shown
			}
		case fence == "":
			if commentOutsideCode(line) {
				return true
			}
		case m != nil && strings.HasPrefix(m[1], fence) && strings.TrimSpace(m[2]) == "":
			fence = ""
		}
	}
	return false
}

var fenceLine = regexp.MustCompile("^ {0,3}(`{3,}|~{3,})([^`]*)$")

// commentOutsideCode says whether a comment begins on the line outside a code span,
// which lies between two runs of as many backticks.
func commentOutsideCode(line string) bool {
	last := lastRuns(line)
	for at := 0; ; {
		tick := strings.IndexByte(line[at:], '`')
		if tick < 0 {
			return strings.Contains(line[at:], commentStart)
		}
		if strings.Contains(line[at:at+tick], commentStart) {
			return true
		}
		at += tick
		run := ticks(line[at:])
		at += run
		if last[run] >= at {
			at += afterRun(line[at:], run)
		}
	}
}

// lastRuns gives where the last run of backticks of each length begins.
func lastRuns(line string) map[int]int {
	last := map[int]int{}
	for at := 0; ; {
		tick := strings.IndexByte(line[at:], '`')
		if tick < 0 {
			return last
		}
		at += tick
		run := ticks(line[at:])
		last[run] = at
		at += run
	}
}

func ticks(s string) int { return len(s) - len(strings.TrimLeft(s, "`")) }

// afterRun gives the end of the first run of exactly n backticks, -1 where there is
// none.
func afterRun(s string, n int) int {
	for at := 0; ; {
		i := strings.IndexByte(s[at:], '`')
		if i < 0 {
			return -1
		}
		run := ticks(s[at+i:])
		at += i + run
		if run == n {
			return at
		}
	}
}
