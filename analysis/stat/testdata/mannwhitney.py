"""Writes mannwhitney.json: two-sided p-values of tied samples by scipy, every order counted.

Run with Debian's python3-scipy: python3 mannwhitney.py > mannwhitney.json
"""
import json
import random

import numpy
import scipy
from scipy.stats import mannwhitneyu, permutation_test


def statistic(x, y, axis=-1):
    return mannwhitneyu(x, y, axis=axis, method="asymptotic").statistic


random.seed(7)
cases = []
for m, n, values in [(2, 2, 2), (3, 3, 3), (5, 5, 4), (5, 5, 8), (3, 7, 3), (4, 8, 5), (6, 6, 4),
                     (2, 9, 3), (8, 4, 6), (7, 7, 9), (6, 7, 3)]:
    x = [random.randrange(values) for _ in range(m)]
    y = [random.randrange(values) + len(cases) % 4 for _ in range(n)]
    p = permutation_test((numpy.array(x), numpy.array(y)), statistic, permutation_type="independent",
                         n_resamples=numpy.inf, alternative="two-sided", vectorized=True)
    cases.append({"x": x, "y": y, "u": float(p.statistic), "p": float(p.pvalue)})
print(json.dumps({"made_by": f"scipy {scipy.__version__}, mannwhitney.py", "cases": cases}, indent=1))
