package scan

// permissionRules are the rules of sensitive_permissions.
var permissionRules []rule
