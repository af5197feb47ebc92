// Package node reads positioned document trees (YAML nodes, from YAML or JSON)
// without trusting their shape. It is shared by the two readers; it knows no
// format.
package node
