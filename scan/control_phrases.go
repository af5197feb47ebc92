package scan

import "github.com/plumbline-mcp/plumbline/scan/words"

// The phrases by which a text documents a control. They are read with the negation
// of [words.Prose]: a denied control does not count.

// A person of whom a text may ask something.
const person = "user|users|human|humans|person|people|operator|manager|admin|administrator|owner|customer|supervisor|reviewer|approver|requester|someone"

// What a text says of a thing that a call must have.
const needs = "require|requires|required|requiring|need|needs|demand|demands|await|awaits"

// confirmationPhrases document that a human confirms the call. They name who or how, or
// that the approval comes first: "sends an order confirmation" is none.
var confirmationPhrases = words.MustPhrases(
	"human|manual|explicit|operator|manager|supervisor|administrator human|manual|explicit|written|prior|and|or|user|users? approval|approvals|confirmation|consent|authorization|sign-off|signoff",
	"user|users|owner|owners|customer|customers|admin explicit|prior|written? approval|consent|sign-off",
	"approval|confirmation|consent|sign-off|go-ahead of|from|by a|an|the|your|another? human|authorized|designated|responsible|account|second? "+person,
	"human|person in|on the loop",
	"explicitly confirm|confirms|confirmed|confirming|approve|approves|approved|authorized|authorised|agreed",
	needs+" a|an|the|your|their|its|prior? prior|separate|second|two|three|multiple|final|additional|valid|documented|"+person+"? approval|approvals|confirmation|consent|sign-off",
	"approval|confirmation|consent|sign-off is|are|must-be|has-to-be|will-be|should-be always|first|explicitly|strictly? required|needed|mandatory|obtained|given|granted|requested|enforced|necessary",
	"approval|approvals|confirmation|consent|sign-off required|needed|mandatory|enforced", needs+" a|an approved ... ticket|request|change|plan|order",
	"must|should|needs-to|need-to|has-to|have-to have|obtain|get|receive|carry ... approval|confirmation|consent",
	"approval token|tokens|code|id|reference from|by|of|issued|obtained|must|is|are", "confirmation token|tokens from|by|issued|obtained|must|is|are",
	"human|manually confirmed|approved", "that a|an|the|every? "+person+" explicitly|manually? confirms|approves|agrees|consents",
	"be|been always|explicitly|manually? approved|confirmed|authorized|authorised by|with|manually|beforehand",
	"if|when|once|after|until|unless|only explicitly|manually? approved|confirmed|authorized|authorised by",
	person+" has|have|must|should|needs-to|has-to first|explicitly|already|always? confirm|confirmed|approve|approved|agree|agreed|consent|consented|authorize|authorized|sign-off|signed-off",
	"only|after|once|when|if|until|unless a|an|the|your|their|another|every? "+person+" explicitly|manually? confirms|approves|agrees|consents|signs-off|accepts",
	"confirm ... ... before", "confirm|check|verify|double-check|clear|agree ... ... with the|a|an|your|their? "+person,
	"confirm before|first",
	"ask|asks|asking|asked|prompt|prompts|prompting|prompted|invited ... to|for ... confirm|confirmation|approve|approval|consent|agree|permission|go-ahead",
	"get|gets|obtain|obtains|seek|seeks|secure|await|awaits|wait-for|waits-for|waiting-for ... approval|consent|sign-off|go-ahead",
	"get|obtain|seek|await|awaits|wait-for|waits-for ... confirmation from|before|first",
	"await|awaits|wait-for|waits-for|waiting-for ... confirmation",
	"request|requests ... approval|confirmation|consent from|before|first",
	"only after|with|once|upon|on ... approval|approved|confirmation|confirmed|consent|confirms|approves",
	"behind|through|via|passes|enters|has|with|after ... approval|confirmation step|gate|flow|workflow|process|queue|prompt|dialog|screen",
	"approval|confirmation step|steps|prompt|dialog|gate|flow|workflow is|are|comes|must|runs|before|first|required",
	needs+"|present|pass|provide|supply ... approval|confirmation token|tokens|id|code|reference",
	needs+" human|manual|second-person|four-eyes ... review",
	"human|manual review is? required|mandatory|before|first|of-every|of-each",
	"reviewed by a|an|the? human|person|operator|supervisor before|first",
	"four-eyes|maker-checker|two-person|dual-control|dual-approval|second-person",
).Spoken()

// tokenPhrases are what a field's description calls a value that an approval yields.
var tokenPhrases = words.MustPhrases("approval token|code|id|reference|ticket|nonce|receipt", "confirmation token").Spoken()

// confirmationWords are enough where the text says that nothing goes without them.
var confirmationWords = words.MustPhrases(
	"approval|approvals|approve|approves|approved|confirmation|confirm|confirms|confirmed|confirming|consent|sign-off|human-review",
).Spoken()

// previewStepPhrases document a step that shows the effect of a call before it acts.
var previewStepPhrases = words.MustPhrases(
	"dry run|runs|running", "dryrun",
	"preview step|call|response|first|before|token|result|mode|flag|parameter|option|or-undo|and-undo",
	"preview|previews|previewing the|what|your|its|all|this|every|a|changes|impact|effect|effects|results|which|how",
	"preview|previews it|them first|before|beforehand|with|by|using|via|through",
	"previewed", "preview of the|what|your|all|its|every|each|changes",
	"preview is|are? always|also|first? available|offered|supported|returned|shown|provided|required|possible|mandatory",
	"return|returns|returning|show|shows|see|get|gets|give|gives|request|produces|generate|generates|inspect|review|check a|the? preview",
	"support|supports|offers|provides|has|includes|use|run|call|via|with|for|after a|the|its|optional? preview $",
	"validate|validates only", "what if mode|run|analysis|request|call|flag|parameter",
	"simulate|simulates|simulated|simulating|simulation",
)

// undoPhrases document a way back.
var undoPhrases = words.MustPhrases(
	"undo|undone|undoes|undoing|undoable|undelete|undeleted|undeletes", "un-delete|un-do",
	"reversible|restorable|recoverable|revertible|revertable",
	"can|may|could only|always|still|later|also? be later|fully|only|still? restored|recovered|reverted|reversed|rolled-back|reinstated|reactivated|resumed|reopened|republished|unpublished|re-enabled|retracted|recalled|voided",
	"can|may|could be cancelled|canceled|refunded within|before|until|for|at-any-time|while",
	"restore|restores|restoring it|them|the|a|this|deleted|within|from|with|using|via|later|tool|endpoint|operation|call|item|items",
	"to restore|recover|revert", "restored|recovered within|from|for|with|by|using|via|until|at",
	"recover|recovers it|them|the|deleted|within|from|for",
	"rollback|rollbacks", "roll|rolls|rolled|rolling back",
	"revert|reverts it|them|the|this|with|to|using|by", "reverse it|them|the|this|with|by",
	"unpublish|unpublishes", "take|takes|taking|taken|bring|brings|bringing|get it|them|this? back",
	"restore|restores|recovery is|are possible|available|supported|offered",
	"soft delete|deletes|deleted|deleting|deletion|deletions", "softdelete|softdeletes",
	"move|moves|moved|moving|send|sends|sent|goes|go|put|puts ... to|into|in ... trash|bin|recycle",
	"stay|stays|remain|remains|kept|lands in|into ... trash|bin|recycle",
	"archived|deactivated|disabled|hidden instead-of|rather-than ... deleted|removed|erased",
	"kept|retained|held|recoverable|stays|remains ... for ... days|hours|weeks ... before",
	"recovery|restore|undo|cooling-off period|window", "grace period of|during|in-which|before|within",
)

// boundPhrases document limits of what one call does.
var boundPhrases = words.MustPhrases(
	"at most", "up to", "no|not more|greater|larger|longer than", "max|maximum|maximal", "capped|limited|restricted|bounded at|to|by",
	"limit|limits of|is|are|per|on|for|to|applies|apply", "rate limit|limits|limited", "must|may|should not exceed", "cannot exceed", "between ... and",
	"one|a-single ... at-a-time|per-call|per-request", "per call|request|day|hour|minute|second|month",
	"quota|quotas", "only one|a-single|single|the-named|the-given|the-specified", "exactly one", "daily|hourly|spending|batch limit",
	"minimum|min of|is|value", "limit|limits $",
)

// reviewPhrases document that a person looks at the call or its result.
var reviewPhrases = words.MustPhrases(
	"human|manual|manually|compliance|peer review|reviewed|reviews|reviewer", "reviewed by", "review queue|step|workflow|process",
	"held|queued|pending for|until? review", "reviewer must|has-to|approves|checks|signs-off", "audited by",
	"review the|it|them|each|every ... before",
)

// scopePhrases document that a call reaches only some things.
var scopePhrases = words.MustPhrases(
	"scoped|restricted|limited|confined to|within|by ... workspace|workspaces|project|projects|account|accounts|tenant|organization|organisation|team|directory|folder|repository|scope|resources|records",
	"only ... within|inside|in ... workspace|project|account|tenant|organization|organisation|team|directory|folder|sandbox",
	"least privilege", "requires|needs the|a|an ... scope|permission|role|privilege",
	"scope|permission|role ... is required|needed", "callers|users|tokens|clients with ... scope|permission|role",
)

// guardPhrases document that arbitrary input cannot do harm.
var guardPhrases = words.MustPhrases(
	"sandbox|sandboxed|sandboxes", "isolated container|environment|process|vm|runtime|virtual-machine|worker", "in|inside an? isolated|ephemeral|throwaway|disposable",
	"gvisor|firecracker|seccomp|chroot",
	"allow-list|allow-listed|allow-lists|allowlist|allowlisted|allowlists|whitelist|whitelisted|white-list|white-listed",
	"only|limited-to|restricted-to ... allowed|approved|permitted|predefined|pre-approved ... command|commands|statements|queries|programs",
	"read-only|readonly", "only|just|exclusively select|read|reading", "select statements|queries only", "select only",
	"accepts|allows|permits|runs|executes only ... select", "only ... select ... statements|queries|is|are|allowed",
)

// resultPhrases say what the call gives back.
var resultPhrases = words.MustPhrases(
	"return|returns|returned|returning", "respond|responds|response|responses", "result|results in|of|is|are|contains|lists|has|with|holds|says|shows",
	"result|results $", "output|outputs is|contains|lists|holds", "reports|yields|answers|replies ... with|the|whether|what|how|a|an",
	"gives|get|gets|sends back", "receipt|confirmation-number|confirmation-id|tracking-id",
)
