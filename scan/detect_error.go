package scan

// errorRules are the rules of corrective_errors.
var errorRules []rule
