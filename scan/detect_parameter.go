package scan

// parameterRules are the rules of strict_parameters.
var parameterRules []rule
