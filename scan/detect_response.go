package scan

// responseRules are the rules of agent_readable_responses.
var responseRules []rule
