package scan

// usageRules are the rules of usage_boundaries.
var usageRules []rule
