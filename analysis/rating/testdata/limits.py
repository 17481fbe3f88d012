"""Writes limits.json: ends of ratings of unbalanced leagues, and Wilson's intervals of their
pairings, by scipy: the likelihood of Davidson and Beaver's model, maximised by its optimizers with
the contrast fixed, and Rao's statistic set to 3.84 by Brent's method.

All boards of a pairing are alike, so that a bootstrap over boards tells nothing. Run with Debian's
python3-scipy: python3 limits.py > limits.json
"""
import json
import math
import random

import numpy as np
import scipy
from scipy.linalg import null_space
from scipy.optimize import brentq, minimize

Z2 = scipy.stats.norm.ppf(0.975) ** 2
ELO = 400 / math.log(10)


class League:
    def __init__(self, n, pairings):
        self.n, self.rows = n, []
        self.precision = np.r_[np.full(n, 1e-6), 1 / 25, 1 / 25]  # priors; of strengths a trace
        for a, b, kind, boards in pairings:
            for first, outcome in ((a, kind // 3), (b, kind % 3)):
                u = np.zeros((3, n + 2))  # what a loss, a tie and a win of a are raised by
                u[0, b] += 1
                u[1, [a, b, n + 1]] += 0.5, 0.5, 1
                u[2, a] += 1
                u[2 if first == a else 0, n] += 1  # the first seat
                self.rows.append((u, outcome, boards / 2))  # a board is a trial of two games

    def objective(self, x):
        value, gradient = self.precision @ x**2 / 2, self.precision * x
        hessian = np.diag(self.precision)
        for u, outcome, weight in self.rows:
            logits = u @ x
            p = np.exp(logits - logits.max())
            p /= p.sum()
            value -= weight * math.log(p[outcome])
            gradient = gradient - weight * (u[outcome] - p @ u)
            mean = p @ u
            hessian = hessian + weight * ((u - mean).T * p @ (u - mean))
        return value, gradient, hessian

    def held(self, contrast, at):
        """Returns Rao's statistic of a contrast of strengths at a value."""
        c = np.r_[contrast, 0, 0]
        base, free = at * c / (c @ c), null_space(c[None])
        best = minimize(lambda y: self.objective(base + free @ y)[0], np.zeros(self.n + 1),
                        jac=lambda y: free.T @ self.objective(base + free @ y)[1],
                        hess=lambda y: free.T @ self.objective(base + free @ y)[2] @ free,
                        method="trust-exact", options={"gtol": 1e-9})
        _, gradient, hessian = self.objective(base + free @ best.x)
        slope = gradient @ c / (c @ c)
        return slope**2 * (c @ np.linalg.solve(hessian, c))

    def estimate(self):
        best = minimize(lambda x: self.objective(x)[0], np.zeros(self.n + 2),
                        jac=lambda x: self.objective(x)[1], hess=lambda x: self.objective(x)[2],
                        method="trust-exact", options={"gtol": 1e-9})
        return best.x[: self.n]


def wilson(points, boards):
    """Returns the shares at which the score test of a binomial share is at its limit."""
    share = points / boards
    off = lambda p: (share - p) ** 2 * boards - Z2 * p * (1 - p)
    low = 0 if share == 0 else brentq(off, 1e-12, min(share, 1 - 1e-9), xtol=1e-13)
    return low, 1 if share == 1 else brentq(off, max(share, 1e-9), 1 - 1e-12, xtol=1e-13)


def reach(n, pairings):
    over = np.eye(n, dtype=bool)
    for a, b, kind, _ in pairings:
        over[a, b] |= kind > 0
        over[b, a] |= kind < 8
    for _ in range(n):
        over |= (over.astype(int) @ over.astype(int)) > 0
    return over


def case(n, pairings):
    league, over = League(n, pairings), reach(n, pairings)
    sets = {tuple(j for j in range(n) if over[i, j] and over[j, i]) for i in range(n)}
    largest = [s for s in sets if len(s) == max(map(len, sets))]
    among = largest[0] if len(largest[0]) > 1 else tuple(range(n))
    if len(largest) > 1 and len(largest[0]) > 1:
        return None  # the strongest would choose
    strength, players = league.estimate(), []
    for i in range(n):
        c = np.zeros(n)
        c[list(among)] = -1 / len(among)
        c[i] += 1
        ends = []
        for side, open_ in ((-1, not all(over[i, j] for j in among)),
                            (1, not all(over[j, i] for j in among))):
            if open_:
                ends.append(None)
                continue
            inside = outside = c @ strength
            while league.held(c, outside) < Z2:
                inside, outside = outside, outside + side
            end = brentq(lambda v: league.held(c, v) - Z2, inside, outside, xtol=1e-9)
            ends.append(end * ELO)
        players.append({"low": ends[0], "high": ends[1]})
    shares = [wilson((k // 3 + k % 3) * m / 4, m) for _, _, k, m in pairings]
    return {"pairings": pairings, "players": players, "shares": shares}


random.seed(7)
cases = []
while len(cases) < 12:
    n = random.randrange(2, 6)
    pairs = [(a, b) for a in range(n) for b in range(a + 1, n)]
    chosen = random.sample(pairs, random.randrange(n - 1, len(pairs) + 1))
    boards = [1, 2, 3, 5, 8, 20, 50]
    pairings = [(a, b, random.randrange(9), random.choice(boards)) for a, b in chosen]
    if {p for a, b in chosen for p in (a, b)} == set(range(n)) and (c := case(n, pairings)):
        cases.append(c)
print(json.dumps({"made_by": f"scipy {scipy.__version__}, limits.py", "cases": cases}))
