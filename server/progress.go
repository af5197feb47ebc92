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
	engine := mcpserver.ServerFromContext(ctx)
	var last time.Time
	return func(done, total int) {
		now := time.Now()
		if done < total && now.Sub(last) < progressEvery {
			return
		}
		last = now
		// A client that does not read loses progress, never results.
		_ = engine.SendNotificationToClient(ctx, "notifications/progress", map[string]any{
			"progressToken": token, "progress": done, "total": total,
		})
	}
}
