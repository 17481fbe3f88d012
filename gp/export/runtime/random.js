
// SplitMix64, the generator of random numbers of clade.
let randomState = 0n;

// seed begins the stream of a seed, whose upper and lower 32 bits are given.
function seed(high, low) {
    randomState = (BigInt(high) << 32n) | BigInt(low);
}

function random32() {
    randomState = BigInt.asUintN(64, randomState + 0x9e3779b97f4a7c15n);
    let z = randomState;
    z = BigInt.asUintN(64, (z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
    z = BigInt.asUintN(64, (z ^ (z >> 27n)) * 0x94d049bb133111ebn);
    return Number((z ^ (z >> 31n)) >> 32n);
}

// below returns a number in 0..n-1, each equally likely.
function below(n) {
    let product;
    do product = random32() * n; // exact: n is below 2^21
    while (product % 2 ** 32 < 2 ** 32 % n);
    return Math.floor(product / 2 ** 32);
}
