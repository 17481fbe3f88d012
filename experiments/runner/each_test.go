package runner

import (
	"context"
	"testing"
)

// Nothing begins once the work is to stop: what is not finished is played again.
func TestEachBeginsNothingAfterTheEnd(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	for range 2000 { // workers may wait already when the first piece is handed out, or not
		if err := Each(ctx, 4, 4, func(int) { t.Error("work was begun") }); err == nil {
			t.Fatal("no error")
		}
	}
}
