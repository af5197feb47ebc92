package main

import (
	"strings"
	"testing"
)

func TestBadServerFlagsAreTheSameToAllThatAsk(t *testing.T) {
	const url = "http://127.0.0.1:1/mcp"
	tests := []struct {
		args []string
		want string
	}{
		{[]string{"--url", "x"}, "--url: this is no address of a server"},
		{[]string{"--url", "ftp://me:s3cret@host/mcp"}, "--url: this is no address of a server"},
		{[]string{"--url", url, "--timeout", "0s"}, "--timeout 0s: give the server some time"},
		{[]string{"--timeout", "-1s", "--", "fake-server", "three"}, "--timeout -1s: give the server some time"},
		{[]string{"--url", url, "--", "fake-server", "three"}, "--url and a command after -- name two servers"},
		{[]string{"--header", "s3cret"}, "--header number 1 is no header"},
		{[]string{"--url", url, "--header", "A: b", "--header", "s3cret"}, "--header number 2 is no header"},
		{[]string{"--url", url, "--header", "A: s3cret", "--header", "a: c"}, "--header gives A twice"},
		{[]string{"--header", "A:s3cret"}, "--header is sent to a URL: give --url too"},
		{[]string{"--header", "A:s3cret", "--", "fake-server", "three"}, "--header is sent to a URL: give --url too"},
	}
	for _, test := range tests {
		t.Run(strings.Join(test.args, " "), func(t *testing.T) {
			for _, command := range [][]string{{"capture"}, {"scan", "mcp"}} {
				code, stdout, stderr := call(append(command, test.args...)...)
				if code != exitUsage || stdout != "" || !strings.HasPrefix(stderr, "plumbline: "+test.want) || strings.Count(stderr, "\n") != 1 {
					t.Errorf("%s: exit %d, stdout %q, stderr %q; want one line: %s", command, code, stdout, stderr, test.want)
				}
				if strings.Contains(stderr, "s3cret") {
					t.Errorf("%s: stderr shows a secret: %s", command, stderr)
				}
			}
		})
	}
}
