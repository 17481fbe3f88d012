// Package enginetest holds the conformance suite that every game passes, and two toy games for tests. It knows no real game, and only tests import it.
package enginetest
