package scan

// hiddenRules are the rules of text that a person does not see (AR101) and arbitrary execution (AR104).
var hiddenRules []rule
