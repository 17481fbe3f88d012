package catalogue

import "testing"

func TestCutSeed(t *testing.T) {
	for _, test := range []struct{ study, rest, seed string }{
		{"name = 'a'\nseed = 12\n\n[evolve]\n", "name = 'a'\n\n[evolve]\n", "12"},
		{"name = 'a'\n[evolve]\nseed = 12\n", "name = 'a'\n[evolve]\nseed = 12\n", ""},
		{"name = 'a'\nseed = 012\n", "name = 'a'\nseed = 012\n", ""},
		{"name = 'a'\n", "name = 'a'\n", ""},
	} {
		if rest, seed := cutSeed(test.study); rest != test.rest || seed != test.seed {
			t.Errorf("%q: %q, %q", test.study, rest, seed)
		}
	}
}
