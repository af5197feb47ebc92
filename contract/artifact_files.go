package contract

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
)

// CheckLinks looks for artifacts of the contract whose path leads out of root by a
// link (AAC404), which only the files can tell. A nil root has none. Other trouble
// with a file is no fault of the contract.
func CheckLinks(c *Contract, root fs.FS) *Report {
	report := &Report{}
	if root == nil {
		return report
	}
	for _, ref := range append(c.inputFiles(), c.checkFiles()...) {
		if !safeArtifactPath(ref.Path) {
			continue // reported when the contract was parsed
		}
		if _, err := followLinks(root, ref.Path); errors.Is(err, ErrLinkLeavesRoot) {
			report.Add(UnsafeArtifactPath, ref.Value.Get("artifact"),
				"a link on the path "+quoteName(ref.Path)+" leads out of the root directory",
				"put the file itself under the root, or name the path it has there")
		}
	}
	return report
}

// ReadArtifacts reads the case and domain files of a valid contract under root and
// gives their bytes by path, for a ledger to keep. The error names the first that
// cannot be read, has other bytes than the contract declares, or is beyond
// [MaxKeptBytes] ([ErrTooMuchKept]); no file is read after it.
func ReadArtifacts(c *Contract, root fs.FS) (map[string][]byte, error) {
	kept := map[string][]byte{}
	size := 0
	declared := map[string]string{}
	for _, ref := range c.inputFiles() {
		if declared[ref.Path] == ref.Fingerprint {
			continue // read for another criterion
		}
		declared[ref.Path] = ref.Fingerprint
		data, err := readDeclared(root, ref)
		if size += len(data); err == nil && size > MaxKeptBytes {
			err = ErrTooMuchKept
		}
		if err != nil {
			return nil, fmt.Errorf("the artifact %s cannot be kept: %w", quoteName(ref.Path), err)
		}
		kept[ref.Path] = data
	}
	return kept, nil
}

// inputFiles gives every case and domain file of the contract.
func (c *Contract) inputFiles() []*ArtifactRef {
	var refs []*ArtifactRef
	for i := range c.Criteria {
		cr := &c.Criteria[i]
		refs = append(refs, cr.CaseFile, cr.Domain)
		for k := range cr.Construction {
			refs = append(refs, cr.Construction[k].CaseFile, cr.Construction[k].Domain)
		}
	}
	return slices.DeleteFunc(refs, func(ref *ArtifactRef) bool { return ref == nil })
}

// checkFiles gives every file that a check of the contract depends on.
func (c *Contract) checkFiles() []*ArtifactRef {
	var refs []*ArtifactRef
	for i := range c.Criteria {
		for k := range c.Criteria[i].Checks {
			files := c.Criteria[i].Checks[k].Files
			for f := range files {
				refs = append(refs, &files[f])
			}
		}
	}
	return refs
}
