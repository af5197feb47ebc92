package scan

// descriptionRules are the rules of agent_descriptions, but for hidden text.
var descriptionRules []rule
