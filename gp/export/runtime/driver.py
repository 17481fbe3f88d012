import re
import sys
from ctypes import c_float

given_numbers = []
answer_numbers = []


def f32(x):
    """Rounds to binary32, as every operation is rounded."""
    return c_float(x).value


def hear():
    """Reads a line: every whole number in it, whatever stands between."""
    line = sys.stdin.readline()
    if not line:
        return False
    given_numbers[:] = map(int, re.findall(r"-?\d+", line))
    answer_numbers.clear()
    return True


def givens():
    return len(given_numbers)


def given(i):
    return given_numbers[i] if i < len(given_numbers) else 0


givenLong = given
answer = answer_numbers.append


stop = sys.exit


def say():
    """Prints the answer as a line."""
    line = ""
    for i, number in enumerate(answer_numbers):
        line += (FIRST if i == 0 else INNER if i % 2 == 1 else OUTER) + str(number)
    print(line + (LAST if answer_numbers else EMPTY), flush=True)


def zeros(value, size, *sizes):
    """Makes an array of the given sizes."""
    return [zeros(value, *sizes) if sizes else value for _ in range(size)]
