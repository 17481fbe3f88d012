package engine

// Seed is the root of a tree of random streams. Every random number of a study comes from a path
// such as Seed(run).Name("match").Num(generation).Num(index) and never from a shared generator, so
// that it does not depend on the order of execution.
type Seed uint64

// Num returns the child seed of a number.
func (s Seed) Num(n uint64) Seed { return Seed(mix(uint64(s) ^ mix(n+0x9e3779b97f4a7c15))) }

// Name returns the child seed of a purpose.
func (s Seed) Name(purpose string) Seed {
	h := uint64(0xcbf29ce484222325) // FNV-1a
	for i := range len(purpose) {
		h = (h ^ uint64(purpose[i])) * 0x100000001b3
	}
	return Seed(mix(uint64(s) + mix(h)))
}

// mix is the finaliser of SplitMix64 (Steele, Lea and Flood, 2014): a bijection in which every
// input bit moves every output bit.
func mix(z uint64) uint64 {
	z += 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Random is a small generator of random numbers for games: SplitMix64. It is a value, so that a
// game need not allocate it, and its zero value is the stream of seed 0.
type Random struct{ state uint64 }

// NewRandom returns the stream of a seed.
func NewRandom(seed uint64) Random { return Random{seed} }

// Uint64 returns 64 random bits. With it, Random is a math/rand/v2 Source.
func (r *Random) Uint64() uint64 {
	z := mix(r.state)
	r.state += 0x9e3779b97f4a7c15
	return z
}

// Below returns a number in 0..n-1, each equally likely, without a division in the common case
// (Lemire, 2019). n must be positive and below 2^32.
func (r *Random) Below(n int) int {
	product := (r.Uint64() >> 32) * uint64(n)
	if low := uint32(product); low < uint32(n) {
		for threshold := -uint32(n) % uint32(n); low < threshold; low = uint32(product) {
			product = (r.Uint64() >> 32) * uint64(n)
		}
	}
	return int(product >> 32)
}

// Float returns a number in [0, 1) with 53 random bits.
func (r *Random) Float() float64 { return float64(r.Uint64()>>11) / (1 << 53) }

// Hash adds a decision to a game's fingerprint. It starts from the game's seed.
func Hash(h, decision uint64) uint64 {
	h = (h ^ decision) * 0x9e3779b97f4a7c15
	return h ^ h>>29
}
