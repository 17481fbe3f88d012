#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Floats must be computed as IEEE binary32, each operation rounded by itself. */
#if FLT_EVAL_METHOD != 0 || defined(__FAST_MATH__)
#error "compile for floats that are computed as such, and without -ffast-math"
#endif
#pragma STDC FP_CONTRACT OFF
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("fp-contract=off")
#endif

/* The line: its text, its numbers, and, if it is JSON, where its tokens begin and end and which
 * token stands behind the value that begins with each. */
static char *text;
static long long *givenNumbers, *answerNumbers;
static int *tokenStart, *tokenEnd, *tokenBehind;
static int textLength, textRoom, givenCount, givenRoom, answerCount, answerRoom, tokenCount,
    tokenRoom;
static long lineNumber;

/* fail ends the program with a message. */
static void fail(const char *why) {
    fprintf(stderr, "NAME: line %ld: %s\n", lineNumber, why);
    exit(1);
}

static void lack(const char *name) {
    fprintf(stderr, "NAME: line %ld: the line lacks \"%s\"\n", lineNumber, name);
    exit(1);
}

/* grown returns an array with room for one more item of a size. */
static void *grown(void *array, int count, int *room, size_t size) {
    if (count < *room) return array;
    if (*room > 1 << 28) fail("the line is too long");
    *room = 2 * *room + 64;
    array = realloc(array, *room * size);
    if (array == NULL) fail("the memory is full");
    return array;
}

static void giveLong(long long number) {
    givenNumbers = grown(givenNumbers, givenCount, &givenRoom, sizeof *givenNumbers);
    givenNumbers[givenCount++] = number;
}

static void give(int number) { giveLong(number); }

/* wholeNumber reads a whole number of at most 18 digits between two places of the text. */
static long long wholeNumber(int start, int end) {
    long long number = 0;
    int i = start, negative = i < end && text[i] == '-';
    if (negative) i++;
    if (i == end || end - i > 18) fail("there is no whole number where one is due");
    for (; i < end; i++) {
        if (text[i] < '0' || text[i] > '9') fail("there is no whole number where one is due");
        number = 10 * number + (text[i] - '0');
    }
    return negative ? -number : number;
}

static int isBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/* tokenize finds the tokens of a line of JSON from a place on, and holds that brackets match. */
static void tokenize(int i) {
    int open = -1, room, outer;
    tokenCount = 0;
    while (i < textLength) {
        char c = text[i];
        int start = i++;
        if (isBlank(c)) continue;
        if (c == '"') {
            while (i < textLength && text[i] != '"') i += text[i] == '\\' ? 2 : 1;
            if (i++ >= textLength) fail("the line ends within a text");
        } else if (c == '-' || (c >= '0' && c <= '9')) {
            while (i < textLength && strchr("+-.0123456789Ee", text[i]) != NULL && text[i]) i++;
        } else if (c >= 'a' && c <= 'z') {
            while (i < textLength && text[i] >= 'a' && text[i] <= 'z') i++;
        } else if (strchr("{}[],:", c) == NULL || c == 0) {
            fail("the line is no JSON");
        }
        room = tokenRoom;
        tokenStart = grown(tokenStart, tokenCount, &room, sizeof *tokenStart);
        room = tokenRoom;
        tokenEnd = grown(tokenEnd, tokenCount, &room, sizeof *tokenEnd);
        tokenBehind = grown(tokenBehind, tokenCount, &tokenRoom, sizeof *tokenBehind);
        tokenStart[tokenCount] = start;
        tokenEnd[tokenCount] = i;
        tokenBehind[tokenCount] = tokenCount + 1;
        if (c == '{' || c == '[') {
            tokenBehind[tokenCount] = open;
            open = tokenCount;
        } else if (c == '}' || c == ']') {
            if (open < 0 || text[tokenStart[open]] != (c == '}' ? '{' : '['))
                fail("the brackets of the line do not match");
            outer = tokenBehind[open];
            tokenBehind[open] = tokenCount + 1;
            open = outer;
        }
        tokenCount++;
    }
    if (open >= 0) fail("the line ends within brackets");
    if (tokenBehind[0] != tokenCount) fail("more stands behind the object");
}

/* hear reads a line: numbers with blanks between, or a JSON object. It tells whether there was
 * one. */
static int hear(void) {
    int c, i = 0, start;
    textLength = tokenCount = givenCount = answerCount = 0;
    while ((c = getchar()) != EOF && c != '\n') {
        text = grown(text, textLength, &textRoom, 1);
        text[textLength++] = (char)c;
    }
    if (c == EOF && textLength == 0) return 0;
    lineNumber++;
    while (i < textLength) {
        if (isBlank(text[i])) {
            i++;
            continue;
        }
        if (text[i] == '{' && givenCount == 0) {
            tokenize(i);
            return 1;
        }
        for (start = i; i < textLength && !isBlank(text[i]);) i++;
        giveLong(wholeNumber(start, i));
    }
    return 1;
}

static int givens(void) { return givenCount; }

static long long givenLong(int i) {
    if (i < 0 || i >= givenCount) fail("the line has too few numbers");
    return givenNumbers[i];
}

static int given(int i) {
    long long number = givenLong(i);
    if (number < -2147483647 || number > 2147483647) fail("a number of the line is too large");
    return (int)number;
}

static void answer(int number) {
    answerNumbers = grown(answerNumbers, answerCount, &answerRoom, sizeof *answerNumbers);
    answerNumbers[answerCount++] = number;
}

static int answers(void) { return answerCount; }
static int answered(int i) { return (int)answerNumbers[i]; }

/* token returns what a token begins with, 0 for any number, -1 where there is no token. */
static int token(int i) {
    char c;
    if (i < 0 || i >= tokenCount) return -1;
    c = text[tokenStart[i]];
    return c == '-' || (c >= '0' && c <= '9') ? '0' : c;
}

static int behind(int i) { return i < tokenCount ? tokenBehind[i] : i + 1; }

static int same(int i, const char *word) {
    int length = (int)strlen(word);
    return token(i) == '"' && tokenEnd[i] - tokenStart[i] == length + 2 &&
           memcmp(text + tokenStart[i] + 1, word, length) == 0;
}

static int letters(int i) { return token(i) == '"' ? tokenEnd[i] - tokenStart[i] - 2 : 0; }
static int letter(int i, int n) { return (unsigned char)text[tokenStart[i] + 1 + n]; }

static long long longAt(int i) {
    if (token(i) != '0') fail("there is no number where one is due");
    return wholeNumber(tokenStart[i], tokenEnd[i]);
}

static float floatAt(int i) {
    char digits[64], *end;
    float value;
    int length;
    if (token(i) != '0') fail("there is no number where one is due");
    length = tokenEnd[i] - tokenStart[i];
    if (length > 63) fail("a number of the line is too long");
    memcpy(digits, text + tokenStart[i], length);
    digits[length] = 0;
    value = strtof(digits, &end);
    if (*end) fail("there is no number where one is due");
    return value;
}

static void emit(const char *part) { fputs(part, stdout); }
/* emitWord prints one of the words between bars. */
static void emitWord(const char *words, int n) {
    while (n > 0 && *words)
        if (*words++ == '|') n--;
    while (*words && *words != '|') putchar(*words++);
}

static void emitNumber(int number) { printf("%d", number); }

static void endLine(void) {
    putchar('\n');
    fflush(stdout);
}

/* zeros makes an array of a number of items, which are 0. */
static int *zeros(int count) {
    int *array = calloc(count > 0 ? count : 1, sizeof *array);
    if (array == NULL) fail("the memory is full");
    return array;
}

static void stop(void) { exit(0); }

static int min(int a, int b) { return a < b ? a : b; }
static int max(int a, int b) { return a > b ? a : b; }
