package tools

import "context"

type progressKey struct{}

// WithProgress gives a context whose long calls tell report how many of how many
// steps are done. A call reports from one goroutine.
func WithProgress(ctx context.Context, report func(done, total int)) context.Context {
	return context.WithValue(ctx, progressKey{}, report)
}

// ReportProgress tells whoever wants to know that done of total steps are done.
func ReportProgress(ctx context.Context, done, total int) {
	if report, ok := ctx.Value(progressKey{}).(func(done, total int)); ok {
		report(done, total)
	}
}
