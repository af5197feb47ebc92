//go:build !unix

package localfile

import "os"

// inGroup says no: there are no groups here that a file is of.
func inGroup(os.FileInfo) bool { return false }

// sameOwner says yes: who owns a file is not told here.
func sameOwner(os.FileInfo, os.FileInfo) bool { return true }
