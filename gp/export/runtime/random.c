
/* SplitMix64, the generator of random numbers of clade. */
static unsigned long long randomState;

/* seed begins the stream of a seed, whose upper and lower 32 bits are given. */
static void seed(long long high, long long low) {
    randomState = (unsigned long long)high << 32 | (unsigned long long)low;
}

static unsigned long long random32(void) {
    unsigned long long z = randomState += 0x9e3779b97f4a7c15ULL;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
    return (z ^ z >> 31) >> 32;
}

/* below returns a number in 0..n-1, each equally likely. */
static int below(int n) {
    unsigned long long product;
    do
        product = random32() * (unsigned long long)n;
    while ((product & 0xffffffffULL) < 0x100000000ULL % (unsigned long long)n);
    return (int)(product >> 32);
}
