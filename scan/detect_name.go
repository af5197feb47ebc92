package scan

// nameRules are the rules of clear_names.
var nameRules []rule
