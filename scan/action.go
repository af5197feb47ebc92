package scan

// Action is what a tool does when it is called, as `action_type` names it.
type Action string

// The action types of agentready.json v0.1.
const (
	ActionRead          Action = "READ"
	ActionSearch        Action = "SEARCH"
	ActionList          Action = "LIST"
	ActionHealthCheck   Action = "HEALTH_CHECK"
	ActionWebhook       Action = "WEBHOOK"
	ActionCreate        Action = "CREATE"
	ActionUpdate        Action = "UPDATE"
	ActionDelete        Action = "DELETE"
	ActionSend          Action = "SEND"
	ActionPublish       Action = "PUBLISH"
	ActionPay           Action = "PAY"
	ActionRefund        Action = "REFUND"
	ActionTransfer      Action = "TRANSFER"
	ActionExport        Action = "EXPORT"
	ActionImport        Action = "IMPORT"
	ActionAuth          Action = "AUTH"
	ActionInvite        Action = "INVITE"
	ActionSchedule      Action = "SCHEDULE"
	ActionCancel        Action = "CANCEL"
	ActionSensitiveData Action = "SENSITIVE_DATA"
	ActionUnknown       Action = "UNKNOWN"
)
