//go:build !light

package external

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
	"github.com/tetratelabs/wazero/sys"

	"clade/engine"
	"clade/engine/system/durable"
	"clade/gp/input"
)

// Limits of a WebAssembly player.
const (
	maxModule  = 64 << 20 // bytes of a file
	memory     = 64 << 20 // bytes of an instance
	pageSize   = 64 << 10
	turnBudget = 1 << 28 // instructions that a turn may take, counted as in meter.go
)

// WASM returns a player of any engine.Interactive game that is a WebAssembly module in a file: a
// program for WASI (wasm32-wasip1) that reads and writes as one of Persist does. It has access only
// to its standard streams, and not to files, network or processes. Its clock is simulated and its
// random numbers follow from the game's seed, so a game with it is the same on any machine. An
// answer has a budget of instructions instead of a time limit.
func (s *Supervisor) WASM(file string) (engine.Player, error) {
	return s.wasm(file, wazero.NewRuntimeConfig())
}

func (s *Supervisor) wasm(file string, engineOf wazero.RuntimeConfig) (engine.Player, error) {
	text, err := readModule(file)
	if err != nil {
		return nil, err
	}
	m, err := newModule(text, engineOf)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return s.seat("wasm:"+file, func(p *player, o engine.Opening) engine.Agent {
		return &takenSeat{player: p, opening: o, asker: &guest{module: m, opening: o}}
	}), nil
}

func readModule(file string) ([]byte, error) {
	if file == "" {
		return nil, errors.New("a module's path is missing: write wasm:FILE")
	}
	text, err := durable.ReadFile(input.Home(file), maxModule)
	if err != nil {
		return nil, err
	}
	if text, err = meter(text); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return text, nil
}

// module is a compiled module. Every game has its own instance.
type module struct {
	runtime  wazero.Runtime
	compiled wazero.CompiledModule
}

// newModule compiles a metered module.
func newModule(text []byte, engineOf wazero.RuntimeConfig) (*module, error) {
	ctx := context.Background()
	m := &module{runtime: wazero.NewRuntimeWithConfig(ctx, engineOf.
		WithCoreFeatures(api.CoreFeaturesV2&^api.CoreFeatureSIMD).
		WithMemoryLimitPages(memory/pageSize))}
	var err error
	if _, err = wasi_snapshot_preview1.Instantiate(ctx, m.runtime); err == nil {
		m.compiled, err = m.runtime.CompileModule(ctx, text)
	}
	if err == nil && m.compiled.ExportedFunctions()["_start"] == nil {
		err = errors.New("the module exports no function _start: compile a program for wasm32-wasip1")
	}
	var trial api.Module
	if err == nil { // it may ask for what no program for WASI has
		trial, err = m.runtime.InstantiateModule(ctx, m.compiled,
			wazero.NewModuleConfig().WithName("").WithStartFunctions())
	}
	if err == nil {
		err = trial.Close(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, m.runtime.Close(ctx))
	}
	return m, nil
}

// guest is a module in one game. It runs only during a question.
type guest struct {
	module  *module
	opening engine.Opening
	*instance
}

func (g *guest) ask(question []byte, _ float64) (answer []byte, early string, err error) {
	begins := g.instance == nil
	if begins {
		if g.instance, err = g.module.instantiate(g.opening.Seed); err != nil {
			return nil, "", &Fault{Err: err}
		}
	}
	g.fuel.Set(turnBudget)
	if begins {
		answer, err = g.run(opening(g.opening))
		early = string(answer)
	}
	if err == nil {
		answer, err = g.run(question)
	}
	switch {
	case err != nil:
		g.close()
	case len(answer) == 0:
		g.close()
		err = errors.New("the program reads on without an answer")
	case bytes.IndexByte(answer, '\n') >= 0:
		err = &several{string(answer)}
	}
	return answer, early, err
}

func (g *guest) end(r *engine.Result) {
	if g.instance == nil {
		return
	}
	if r != nil {
		_, _ = g.run(farewell(r, g.opening.Seats)) // what it says now is of no use
	}
	g.close()
}

func (g *guest) close() {
	g.stop()
	g.instance = nil
}

// instance is a running program: a coroutine that runs from one read of its input to the next.
type instance struct {
	next func() (struct{}, bool)
	stop func()

	fuel    api.MutableGlobal
	input   []byte
	output  []byte
	errors  tail
	wait    func() bool // for input; false at its end
	closing bool
	alive   bool // it has not ended
	flooded bool
	fault   error // how the program ended
}

// instantiate makes an instance that has not run yet.
func (m *module) instantiate(seed uint64) (*instance, error) {
	i := &instance{}
	random := engine.NewRandom(uint64(engine.Seed(seed).Name("wasi")))
	ctx := context.Background()
	config := wazero.NewModuleConfig().WithName("").WithStartFunctions().WithArgs("player").
		WithStdin(stdin{i}).WithStdout(stdout{i}).WithStderr(&i.errors).
		WithRandSource(&draws{random})
	running, err := m.runtime.InstantiateModule(ctx, m.compiled, config)
	if err != nil {
		return nil, err
	}
	i.fuel = running.ExportedGlobal(fuelName).(api.MutableGlobal)
	i.next, i.stop = iter.Pull(func(yield func(struct{}) bool) {
		i.wait = func() bool { return yield(struct{}{}) }
		_, i.fault = running.ExportedFunction("_start").Call(ctx)
		if err := running.Close(ctx); i.fault == nil {
			i.fault = err
		}
	})
	return i, nil
}

// run gives the program lines to read, and returns what it writes before it reads on or ends.
func (i *instance) run(lines []byte) ([]byte, error) {
	i.input = append(i.input, lines...)
	_, i.alive = i.next()
	said, ends := bytes.TrimSpace(i.output), bytes.IndexByte(i.output, '\n') >= 0
	i.output = nil
	switch {
	case i.flooded:
		return nil, errFlood
	case len(said) > 0 && ends: // empty lines are no answers
		return said, nil
	case int64(i.fuel.Get()) < 0:
		return nil, fmt.Errorf("its budget of %d instructions was used up", int64(turnBudget))
	case len(said) > 0:
		return nil, errors.New("its line has no end")
	case !i.alive:
		return nil, i.died()
	}
	return nil, nil
}

// died returns an error that says how the program ended.
func (i *instance) died() error {
	err := errEnded
	var exit *sys.ExitError
	switch {
	case errors.As(i.fault, &exit) && exit.ExitCode() != 0:
		err = fmt.Errorf("the program ended with status %d", exit.ExitCode())
	case i.fault != nil && exit == nil:
		trap, _, _ := strings.Cut(i.fault.Error(), "\n")
		err = fmt.Errorf("the program failed: %s", trap)
	}
	if text := lastLine(i.errors.String()); text != "" {
		err = fmt.Errorf("%w: %s", err, text)
	}
	return err
}

// stdin is the input of an instance. A read yields to the caller until there is input.
type stdin struct{ *instance }

func (s stdin) Read(p []byte) (int, error) {
	for len(s.input) == 0 {
		if s.closing || !s.wait() {
			s.closing = true
			return 0, io.EOF
		}
	}
	n := copy(p, s.input)
	s.input = s.input[n:]
	return n, nil
}

// stdout is the output of an instance.
type stdout struct{ *instance }

func (s stdout) Write(p []byte) (int, error) {
	if len(s.output)+len(p) > maxReply+1 {
		s.flooded = true
		return 0, errFlood
	}
	s.output = append(s.output, p...)
	return len(p), nil
}

// draws is a source of random bytes.
type draws struct{ engine.Random }

func (d *draws) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(d.Uint64() >> 56)
	}
	return len(p), nil
}
