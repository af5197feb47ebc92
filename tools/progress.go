package tools

import "context"

type progressKey struct{}

// WithProgress gives a context whose long calls tell report how many of how many
// steps are done.
func WithProgress(ctx context.Context, report func(done, total int)) context.Context {
	return context.WithValue(ctx, progressKey{}, report)
}

// progressFrom is nil where nobody wants to know.
func progressFrom(ctx context.Context) func(done, total int) {
	report, _ := ctx.Value(progressKey{}).(func(done, total int))
	return report
}
