import re
import sys
from ctypes import c_float

# The numbers of the line and, if it is JSON, its tokens and which token stands behind the value
# that begins with each.
given_numbers = []
answer_numbers = []
tokens = []
token_behind = []
line_number = 0
WORD = re.compile(r'[ \t\r]+|"(?:[^"\\]|\\.)*"|-?[0-9][-+.0-9Ee]*|[a-z]+|[{}\[\],:]')


def fail(why):
    """Ends the program with a message."""
    sys.exit(f"NAME: line {line_number}: {why}")


def lack(name):
    fail(f'the line lacks "{name}"')


def f32(x):
    """Rounds to binary32, as every operation is rounded."""
    return c_float(x).value


def whole_number(word):
    """Reads a whole number of at most 18 digits."""
    if not re.fullmatch(r"-?[0-9]{1,18}", word):
        fail("there is no whole number where one is due")
    return int(word)


def tokenize(text):
    """Finds the tokens of a line of JSON, and holds that brackets match."""
    at = 0
    opened = []
    for found in WORD.finditer(text):
        if found.start() != at:
            break
        at = found.end()
        t = found.group()
        if t[0] in " \t\r":
            continue
        if t in "{[":
            opened.append(len(tokens))
        tokens.append(t)
        token_behind.append(len(tokens))
        if t in "}]":
            if not opened or tokens[opened[-1]] != ("{" if t == "}" else "["):
                fail("the brackets of the line do not match")
            token_behind[opened.pop()] = len(tokens)
    if at < len(text):
        fail("the line ends within a text" if text[at] == '"' else "the line is no JSON")
    if opened:
        fail("the line ends within brackets")
    if token_behind[0] != len(tokens):
        fail("more stands behind the object")


def hear():
    """Reads a line: numbers with blanks between, or a JSON object. Tells whether there was one."""
    return take(sys.stdin.buffer.readline().decode("latin-1"))


def take(line):
    global line_number
    if not line:
        return False
    line_number += 1
    for numbers in given_numbers, answer_numbers, tokens, token_behind:
        numbers.clear()
    text = line.strip(" \t\r\n")
    if text.startswith("{"):
        tokenize(text)
    else:
        given_numbers.extend(map(whole_number, re.split(r"[ \t\r]+", text) if text else ()))
    return True


give = giveLong = given_numbers.append


def givens():
    return len(given_numbers)


def givenLong(i):
    if i < 0 or i >= len(given_numbers):
        fail("the line has too few numbers")
    return given_numbers[i]


def given(i):
    number = givenLong(i)
    if abs(number) > 2147483647:
        fail("a number of the line is too large")
    return number


answer = answer_numbers.append


def answers():
    return len(answer_numbers)


def answered(i):
    return answer_numbers[i]


def token(i):
    """Returns what a token begins with, '0' for any number, -1 where there is no token."""
    if i < 0 or i >= len(tokens):
        return -1
    c = ord(tokens[i][0])
    return 48 if c == 45 or 48 <= c <= 57 else c


def behind(i):
    return token_behind[i] if i < len(tokens) else i + 1


def same(i, word):
    return token(i) == 34 and tokens[i] == f'"{word}"'


def letters(i):
    return len(tokens[i]) - 2 if token(i) == 34 else 0


def letter(i, n):
    return ord(tokens[i][1 + n])


def longAt(i):
    if token(i) != 48:
        fail("there is no number where one is due")
    return whole_number(tokens[i])


def floatAt(i):
    try:
        return f32(float(tokens[i] if token(i) == 48 else ""))
    except ValueError:
        fail("there is no number where one is due")


emit = sys.stdout.write


def emitWord(words, n):
    """Prints one of the words between bars."""
    emit(words.split("|")[n])


def emitNumber(number):
    emit(str(number))


def endLine():
    emit("\n")
    sys.stdout.flush()


stop = sys.exit


def zeros(value, size, *sizes):
    """Makes an array of the given sizes."""
    return [zeros(value, *sizes) if sizes else value for _ in range(size)]
