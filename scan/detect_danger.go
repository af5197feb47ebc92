package scan

// dangerRules are the rules of dangerous_actions.
var dangerRules []rule
