package tools

// Limits of the tools' inputs and answers. Lengths are in characters.
const (
	// maxText is the most that an answer's text may hold.
	maxText = 40_000
	// DefaultMaxFile is the largest file, in bytes, that a path may name.
	DefaultMaxFile = 64 << 20

	// defaultListed and maxListed bound the tools listed in one answer.
	defaultListed = 10
	maxListed     = 100

	maxLabel    = 200  // ids, names, paths and pointers of strangers, as shown
	maxNote     = 300  // one note, as shown
	maxMessage  = 1000 // a message or a hint of an error
	maxNearest  = 3    // ids suggested for a wrong one
	leastShared = 3    // letters of what two names have in common, to be alike
	maxFailing  = 20   // criteria named of a done report of unfinished work
	maxCompared = 500  // candidates that are compared in full to find them

	maxFinding     = 8_000 // the text of one finding, as shown
	maxFindingPart = 2_000 // each of its parts, where the whole is longer

	// Of what an answer has room for, the shares in percent that the lists before
	// the tools may take.
	ruleShare    = 40
	noteShare    = 15
	findingShare = 60
	errorShare   = 50
	warningShare = 20
	factShare    = 25
)
