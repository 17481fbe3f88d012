#include <float.h>
#include <stdio.h>
#include <stdlib.h>

/* Floats must be computed as IEEE binary32, each operation rounded by itself. */
#if FLT_EVAL_METHOD != 0 || defined(__FAST_MATH__)
#error "compile for floats that are computed as such, and without -ffast-math"
#endif
#pragma STDC FP_CONTRACT OFF
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("fp-contract=off")
#endif

static long long *givenNumbers, *answerNumbers;
static int givenCount, givenRoom, answerCount, answerRoom;

/* put appends a number to an array that grows. */
static void put(long long **array, int *count, int *room, long long number) {
    if (*count == *room) {
        *room = 2 * *room + 64;
        *array = realloc(*array, *room * sizeof **array);
        if (*array == NULL) exit(1);
    }
    (*array)[(*count)++] = number;
}

/* hear reads a line: every whole number in it, whatever stands between. It tells whether there was
 * one. */
static int hear(void) {
    long long number = 0;
    int c, sign = 1, digits = 0, characters = 0;
    givenCount = answerCount = 0;
    do {
        c = getchar();
        if (c >= '0' && c <= '9') {
            number = 10 * number + (c - '0');
            digits++;
        } else {
            if (digits) put(&givenNumbers, &givenCount, &givenRoom, sign * number);
            sign = c == '-' ? -1 : 1;
            number = digits = 0;
        }
        characters++;
    } while (c != EOF && c != '\n');
    return c == '\n' || characters > 1;
}

static int givens(void) { return givenCount; }
static int given(int i) { return i < givenCount ? (int)givenNumbers[i] : 0; }
static long long givenLong(int i) { return i < givenCount ? givenNumbers[i] : 0; }
static void answer(int number) { put(&answerNumbers, &answerCount, &answerRoom, number); }

static void stop(void) { exit(0); }

/* say prints the answer as a line. */
static void say(void) {
    int i;
    for (i = 0; i < answerCount; i++)
        printf("%s%lld", i == 0 ? FIRST : i % 2 ? INNER : OUTER, answerNumbers[i]);
    fputs(answerCount ? LAST : EMPTY, stdout);
    putchar('\n');
    fflush(stdout);
}

static int min(int a, int b) { return a < b ? a : b; }
static int max(int a, int b) { return a > b ? a : b; }
