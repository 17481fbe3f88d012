

# SplitMix64, the generator of random numbers of clade.
random_state = 0


def seed(high, low):
    """Begins the stream of a seed, whose upper and lower 32 bits are given."""
    global random_state
    random_state = high << 32 | low


def random32():
    global random_state
    word = (1 << 64) - 1
    z = random_state = (random_state + 0x9E3779B97F4A7C15) & word
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & word
    z = (z ^ z >> 27) * 0x94D049BB133111EB & word
    return (z ^ z >> 31) >> 32


def below(n):
    """Returns a number in 0..n-1, each equally likely."""
    while True:
        product = random32() * n
        if product % (1 << 32) >= (1 << 32) % n:
            return product >> 32
