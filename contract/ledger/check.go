package ledger

import "strings"

// forms say what is wrong with the form of a DSN's location, by its scheme.
var forms = map[string]func(location string) error{"sqlite": sqliteForm, "postgres": postgresForm, "postgresql": postgresForm}

// CheckDSN says whether [Open] can make anything of a DSN, without opening or making
// anything. The error is BAD_ARGUMENT, and repeats nothing of the DSN.
func CheckDSN(dsn string) error {
	scheme, location, found := strings.Cut(dsn, ":")
	form := forms[scheme]
	if !found || form == nil {
		return unknownScheme()
	}
	return form(location)
}

func unknownScheme() error {
	return refuse(BadArgument, "the ledger's DSN begins with no scheme that is known", hintDSN)
}

func sqliteForm(location string) error {
	switch {
	case location == "" || strings.HasPrefix(location, ":"):
		return refuse(BadArgument, "the ledger's DSN names no file", "use sqlite:PATH; a ledger in memory would keep nothing")
	case strings.HasPrefix(location, "//"):
		return refuse(BadArgument, "the ledger's DSN has // before its path", "use sqlite:PATH, such as sqlite:/var/lib/plumbline/ledger.db")
	case strings.ContainsRune(location, 0):
		return refuse(BadArgument, "the ledger's path holds a NUL", "use sqlite:PATH")
	}
	return nil
}

func postgresForm(location string) error {
	_, err := postgresConfig(location)
	return err
}
