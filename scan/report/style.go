package report

import "github.com/plumbline-mcp/plumbline/scan/agentready"

// style paints text with terminal colours, or leaves it as it is.
type style bool

// The terminal's colour codes ("Select Graphic Rendition" of ECMA-48).
const (
	bold   = "1"
	faint  = "2"
	red    = "31"
	green  = "32"
	yellow = "33"
	blue   = "34"
)

var severityColors = map[agentready.Severity]string{
	agentready.Critical: bold + ";" + red,
	agentready.High:     red,
	agentready.Medium:   yellow,
	agentready.Low:      blue,
}

func (s style) paint(code, text string) string {
	if !bool(s) || code == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (s style) bold(text string) string { return s.paint(bold, text) }

func (s style) dim(text string) string { return s.paint(faint, text) }

func (s style) severity(of agentready.Severity, text string) string {
	return s.paint(severityColors[of], text)
}

func (s style) verdict(v, text string) string {
	if v == agentready.Pass {
		return s.paint(green, text)
	}
	return s.paint(bold+";"+red, text)
}
