package server

import (
	"context"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"
)

// reporter sends a call's progress to its client, not more often than
// progressEvery but for the last step. A call reports from one goroutine.
func reporter(ctx context.Context, token mcp.ProgressToken) func(done, total int) {
	send := notifier(ctx)
	var last time.Time
	return func(done, total int) {
		now := time.Now()
		if done < total && now.Sub(last) < progressEvery {
			return
		}
		last = now
		send("notifications/progress", map[string]any{"progressToken": token, "progress": done, "total": total})
	}
}

// notifier is how a call tells its client something before its answer: in order on
// stdio, as the engine does it elsewhere.
func notifier(ctx context.Context) func(method string, params map[string]any) {
	if s, ok := mcpserver.ClientSessionFromContext(ctx).(*session); ok {
		return s.notify
	}
	engine := mcpserver.ServerFromContext(ctx)
	return func(method string, params map[string]any) {
		// A client that does not read loses progress, never results.
		_ = engine.SendNotificationToClient(ctx, method, params)
	}
}
