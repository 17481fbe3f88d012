/* Amoebas that divide when rich, hit what is near, and graze.
   It finds what it needs in the messages without a library for JSON:
   gcc -O2 -o amoebas amoebas.c */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { side = 7 }; /* of the greatest view */

static const char *directions[8] = {"nw", "n", "ne", "e", "se", "s", "sw", "w"};
static const int steps[8][2] = {{-1, -1}, {-1, 0}, {-1, 1}, {0, 1},
                                {1, 1},   {1, 0},  {1, -1}, {0, -1}};

/* number returns the number behind a key, searched from text on. */
static int number(const char *text, const char *key) {
    const char *at = strstr(text, key);
    return at ? atoi(at + strlen(key)) : 0;
}

int main(void) {
    static char line[1 << 16];
    while (fgets(line, sizeof line, stdin)) {
        if (!strstr(line, "\"type\":\"turn\""))
            continue;
        int energy = number(line, "\"energy\":"), species = number(line, "\"species\":");
        int fuel[side][side] = {0}, friend[side][side] = {0}, rows = 0;
        char *at = strstr(line, "\"fuel\":[[") + 8;
        for (int row = 0, column = 0; row < side;) { /* [1,2,3],[4,5,6],... */
            fuel[row][column++] = strtol(at + 1, &at, 10);
            if (*at == ']') {
                rows = ++row;
                column = 0;
                if (*++at != ',')
                    break;
                at++;
            }
        }
        int m = rows / 2; /* the own cell */
        for (char *a = strstr(line, "{\"x\":"); a; a = strstr(a + 1, "{\"x\":"))
            if (number(a, "\"species\":") == species)
                friend[m + number(a, "\"y\":")][m + number(a, "\"x\":")] = 1;
        char best[48] = "rest", command[20], direction[20];
        int most = fuel[m][m];
        for (char *a = strstr(line, "\"actions\":["); (a = strchr(a, ' ')); a++) {
            char *start = a;
            while (*start != '"')
                start--;
            if (sscanf(start, "\"%19[a-z] %19[a-z]", command, direction) != 2)
                continue;
            int d = 0;
            while (strcmp(directions[d], direction))
                d++;
            int down = m + steps[d][0], right = m + steps[d][1];
            int there = fuel[down][right], take = 0;
            if (!strcmp(command, "divide") && energy > 70)
                take = 2;
            if (!strcmp(command, "hit") && energy >= 20 && !friend[down][right])
                take = 2;
            if (!strcmp(command, "move") && energy >= 10 && fuel[m][m] < 5 && there > most)
                take = 1, most = there;
            if (take)
                sprintf(best, "%s %s", command, direction);
            if (take == 2)
                break;
        }
        printf("{\"action\":\"%s\"}\n", best);
        fflush(stdout);
    }
}
