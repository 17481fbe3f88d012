package view

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"clade/cmd/view/site"
	"clade/experiments/runner"
	"clade/gp/proof"
)

// started is the Chromium of all tests, which the first one that needs it starts, and quitting ends
// it.
var (
	started = sync.OnceValues(func() (context.Context, error) {
		path, err := proof.Chromium()
		if err != nil {
			return nil, err
		}
		allocator, end := chromedp.NewExecAllocator(context.Background(),
			append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path),
				chromedp.NoSandbox)...)
		ctx, quit := chromedp.NewContext(allocator)
		quitting = func() { quit(); end() }
		return ctx, chromedp.Do(ctx)
	})
	quitting = func() {}
)

func TestMain(m *testing.M) {
	status := m.Run()
	quitting()
	os.Exit(status)
}

// browser is a window of Chromium, which shares nothing with those of other tests, and a page of a
// server of its own.
type browser struct {
	t    *testing.T
	ctx  context.Context
	link string // of the server
	stop func() // ends the server
	mu   sync.Mutex
	said []string // errors and warnings of the console
}

// quick are the tests in a browser that do not wait for CLADE_FULL: one of each kind of page.
var quick = []string{"TestGamePage", "TestPlayPage", "TestRunsPage"}

// chromium skips the test where there is no Chromium, or no time for one.
func chromium(t *testing.T) {
	t.Helper()
	if slices.Contains(quick, t.Name()) {
		proof.Long(t)
	} else {
		proof.Costly(t)
	}
	if _, err := proof.Chromium(); err != nil {
		t.Skip("there is no chromium; what the page does is not tried " +
			"(apt-get install chromium-headless-shell)")
	}
}

// browseRun breeds numbers in the folder run-1 of a directory, and browses the directory.
func browseRun(t *testing.T, generations int) (b *browser, dir string) {
	t.Helper()
	chromium(t)
	dir = t.TempDir()
	breed(t, filepath.Join(dir, "run-1"), 1, generations, runner.Options{})
	return browse(t, site.Options{Paths: []string{dir}, Scope: toys()}), dir
}

// browse starts a server for some folders, and a browser whose console has nothing to say by the
// end of the test.
func browse(t *testing.T, o site.Options) *browser {
	chromium(t)
	s := proof.Must(New(o))(t)
	l := proof.Must(net.Listen("tcp", "localhost:0"))(t)
	serving, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(serving, l) }()

	all, err := started()
	if err != nil {
		t.Fatal("the browser does not start:", err)
	}
	ctx, quit := chromedp.NewContext(all, chromedp.WithNewBrowserContext())
	b := &browser{t: t, ctx: ctx, link: "http://" + l.Addr().String(), stop: stop}
	t.Cleanup(func() {
		b.quiet()
		quit()
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal("the browser gives no window:", err)
	}
	// its window has the focus, as that of who looks at it has
	if _, err := chromedp.Call(ctx, emulation.SetFocusEmulationEnabled,
		emulation.SetFocusEmulationEnabledParams{Enabled: true}); err != nil {
		t.Fatal(err)
	}
	messages := chromedp.Console(ctx)
	go func() {
		for m, err := range messages {
			if err != nil {
				return
			}
			if m.IsException() || m.Type == "error" || m.Type == "warning" {
				if serving.Err() != nil && strings.Contains(m.String(), "Failed to load resource") {
					continue // there is no server any more
				}
				b.mu.Lock()
				b.said = append(b.said, m.String())
				b.mu.Unlock()
			}
		}
	}()
	return b
}

// do carries out actions, one after the other, in a minute and a half each at most.
func (b *browser) do(what string, actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	for _, a := range actions {
		ctx, cancel := context.WithTimeout(b.ctx, 90*time.Second)
		err := chromedp.Do(ctx, a)
		cancel()
		if err != nil {
			b.picture("failed")
			b.t.Fatalf("%s: %v (console: %q)", what, err, b.said)
		}
	}
}

// open opens a link of the server and waits until its page is whole.
func (b *browser) open(link string) {
	b.t.Helper()
	b.do("open "+link, chromedp.Navigate(b.link+link))
	b.wait(`document.querySelector("main:not([aria-busy])") !== null`)
}

// wait waits until an expression is true.
func (b *browser) wait(expression string) {
	b.t.Helper()
	for range 1200 {
		if evaluate[bool](b, "Boolean("+expression+")") {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	b.picture("failed")
	b.t.Fatalf("it never becomes true: %s (console: %q)", expression, b.said)
}

// evaluate returns the value of an expression in the page, of a promise what it comes to.
func evaluate[T any](b *browser, expression string) T {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, 90*time.Second)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// drag presses the mouse at a place, moves it to another and lets it go.
func (b *browser) drag(from, to [2]float64) {
	b.t.Helper()
	for i, kind := range []input.DispatchMouseEventType{input.DispatchMouseEventTypeMousePressed,
		input.DispatchMouseEventTypeMouseMoved, input.DispatchMouseEventTypeMouseReleased} {
		at := [][2]float64{from, to, to}[i]
		if _, err := chromedp.Call(b.ctx, input.DispatchMouseEvent, input.DispatchMouseEventParams{
			Type: kind, X: at[0], Y: at[1], Button: input.MouseButtonLeft, ClickCount: 1}); err != nil {
			b.t.Fatal(err)
		}
	}
}

// picture saves what the page looks like, where CLADE_PICTURES names a folder for that.
func (b *browser) picture(name string) {
	b.t.Helper()
	dir := os.Getenv("CLADE_PICTURES")
	if dir == "" {
		return
	}
	ctx, cancel := context.WithTimeout(b.ctx, 90*time.Second)
	defer cancel()
	png, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name+".png"), png, 0o666)
	}
	if err != nil {
		b.t.Log(err)
	}
}

// named fails the test where a screen reader would find something to use, or a picture, without a
// name.
func (b *browser) named(page string) {
	b.t.Helper()
	tree, err := chromedp.Call(b.ctx, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	if err != nil {
		b.t.Fatal(err)
	}
	text := func(v *accessibility.Value) (s string) {
		if v != nil {
			_ = json.Unmarshal(v.Value, &s) // what is no text is no name
		}
		return strings.TrimSpace(s)
	}
	found := 0
	for _, n := range tree.Nodes {
		switch role := text(n.Role); role {
		case "button", "link", "textbox", "searchbox", "combobox", "checkbox", "slider",
			"spinbutton", "img", "image", "Canvas", "listbox", "option", "tree", "treeitem", "table",
			"application", "progressbar", "meter", "group":
			if found++; text(n.Name) == "" && !n.Ignored && role != "group" {
				b.t.Errorf("%s: a %s has no name (node %v)", page, role, n.BackendDOMNodeID)
			}
		}
	}
	if found < 5 {
		b.t.Errorf("%s: only %d things have a role", page, found)
	}
}

// axe fails the test where axe-core finds something serious, or headings out of order; a file that
// CLADE_AXE names is its code. Contrast is left to legible, which knows both themes.
func (b *browser) axe(page string) {
	b.t.Helper()
	path := os.Getenv("CLADE_AXE")
	if path == "" {
		return
	}
	code, err := os.ReadFile(path)
	proof.OK(b.t, err)
	evaluate[bool](b, string(code)+"; true")
	for _, fault := range evaluate[[]string](b, `axe.run({ resultTypes: ["violations"],
		rules: { "color-contrast": { enabled: false } } }).then(({ violations }) => violations.
			filter((v) => /serious|critical/.test(v.impact) || /heading/.test(v.id)).
			flatMap((v) => v.nodes.map((n) => v.id + ": " + n.target.join(" ") + ": " + n.html)))`) {
		b.t.Errorf("%s: %s", page, fault)
	}
}

// fits fails the test where the page is wider than its window, or hides the end of something that
// is not meant to be scrolled.
func (b *browser) fits(page string, width int, whole ...string) {
	b.t.Helper()
	b.do("resize", chromedp.EmulateViewport(int64(width), 844))
	b.wait(fmt.Sprintf(`innerWidth === %d`, width))
	// boards and curves follow the window a picture or two later
	wide := `document.documentElement.scrollWidth`
	for _, part := range whole {
		wide = fmt.Sprintf(`Math.max(%s, innerWidth + Math.max(...[...document.querySelectorAll(%q)].
			map((e) => e.scrollWidth - e.clientWidth)))`, wide, part)
	}
	is := 0.0
	for range 100 {
		if is = evaluate[float64](b, wide); is <= float64(width) {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	b.picture("failed")
	b.t.Errorf("%s takes %v pixels in a window of %d", page, is, width)
}

// looks saves a page in light, in dark and as wide as a telephone.
func (b *browser) looks(name string) {
	b.t.Helper()
	b.named(name)
	b.axe(name)
	b.do("resize", chromedp.EmulateViewport(1280, 800))
	for _, theme := range []string{"light", "dark"} {
		b.theme(theme)
		b.picture(name + "-" + theme)
		b.legible(name + " in " + theme)
	}
	b.theme("light")
	b.fits(name, 390)
	b.picture(name + "-phone")
	b.do("resize", chromedp.EmulateViewport(1280, 800))
}

// legible fails the test where a text of the page stands out from its ground less than WCAG 2 asks
// for: 4.5, or 3 where it is large. Lines that are written as letters, and what cannot be used now,
// are not looked at.
func (b *browser) legible(page string) {
	b.t.Helper()
	for _, text := range evaluate[[]string](b, `(() => {
		const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
		const parts = (colour) => { // red, green, blue, and how much of it there is
			pen.clearRect(0, 0, 1, 1);
			pen.fillStyle = colour;
			pen.fillRect(0, 0, 1, 1);
			const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
			return [r, g, b, a / 255];
		};
		const over = (a, b) => [0, 1, 2].map((i) => a[i] * a[3] + b[i] * (1 - a[3])).concat(1);
		const light = (c) => [0.2126, 0.7152, 0.0722].reduce((sum, share, i) => sum + share *
			(c[i] <= 10 ? c[i] / 3294.6 : ((c[i] / 255 + 0.055) / 1.055) ** 2.4), 0.05);
		const faults = new Map();
		for (const e of document.querySelectorAll("body *")) {
			const own = [...e.childNodes].filter((n) => n.nodeType === 3).map((n) => n.data).
				join("").trim();
			if (!/[\p{L}\p{N}]/u.test(own) || e.matches(":disabled, option") ||
				!e.checkVisibility({ checkVisibilityCSS: true }) ||
				e.getClientRects().length === 0) continue;
			const style = getComputedStyle(e);
			const front = parts(e instanceof SVGElement ? style.fill : style.color);
			const grounds = [];
			for (let up = e; up; up = up.parentElement) {
				const s = getComputedStyle(up);
				front[3] *= s.opacity;
				grounds.push(parts(s.backgroundColor));
			}
			const ground = grounds.reduceRight((below, c) => over(c, below), [255, 255, 255, 1]);
			const [a, b] = [light(over(front, ground)), light(ground)];
			const size = parseFloat(style.fontSize);
			const large = size >= 24 || size >= 18.66 && style.fontWeight >= 700;
			const contrast = Math.max(a, b) / Math.min(a, b);
			if (front[3] > 0 && contrast < (large ? 3 : 4.5)) {
				const kind = [e.tagName, ...e.classList, "in", e.parentElement.className].join(" ");
				faults.set(kind, kind + ": " + contrast.toFixed(2) + " for " + own.slice(0, 30));
			}
		}
		return [...faults.values()];
	})()`) {
		b.t.Errorf("%s: %s", page, text)
	}
}

func (b *browser) theme(kind string) {
	for range 3 {
		if evaluate[string](b, "document.documentElement.dataset.theme") == kind {
			break
		}
		b.do("theme", chromedp.Click(`button[aria-label^="Colours"]`))
	}
	// boards and curves are drawn in the picture after the one that knows the colours
	b.wait(`getComputedStyle(document.body).backgroundColor === "` +
		map[string]string{"light": "rgb(255, 255, 255)", "dark": "rgb(20, 23, 26)"}[kind] + `"`)
	evaluate[float64](b, `new Promise((done) => requestAnimationFrame(() =>
		requestAnimationFrame(done)))`)
}

// quiet fails the test where the console has said anything.
func (b *browser) quiet() {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, text := range b.said {
		b.t.Errorf("the console says: %s", text)
	}
}

// saved waits for a file that the browser saves, and returns its path. The browser reserves the name
// by an empty file before it renames the whole one to it.
func (b *browser) saved(dir, name string) string {
	b.t.Helper()
	path := filepath.Join(dir, name)
	for range 1200 {
		if file, err := os.Stat(path); err == nil && file.Size() > 0 {
			return path
		}
		time.Sleep(50 * time.Millisecond)
	}
	b.t.Fatalf("%s is never saved", name)
	return ""
}

// downloads lets the browser save files into a folder.
func (b *browser) downloads(dir string) {
	b.t.Helper()
	_, err := chromedp.CallBrowser(b.ctx, cdpbrowser.SetDownloadBehavior,
		cdpbrowser.SetDownloadBehaviorParams{
			Behavior: cdpbrowser.SetDownloadBehaviorBehaviorAllow, DownloadPath: dir,
			BrowserContextID: chromedp.FromContext(b.ctx).BrowserContextID})
	if err != nil {
		b.t.Fatal(err)
	}
}
