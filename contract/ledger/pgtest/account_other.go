//go:build !unix

package pgtest

import (
	"errors"
	"syscall"
)

func giveToAccount(string) error { return errors.New("tests start Postgres on Unix alone") }

func inAccount() *syscall.SysProcAttr { return nil }
