/* A game server for two ants written by clade: reads boards, one a line of fifteen cells, plays each
 * in both seats, and prints the moves; with a number as argument it plays all boards that often and
 * prints games a second instead. With the word replay it reads recorded games, the fifteen cells and
 * the moves, carries these out, and prints what the ants would have done, ant 1 by ONE and ant 2 by
 * TWO. ONE and TWO are the files of the ants. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#define Move Move1
#define m m1
#define r r1
#define c c1
#define k k1
#define e e1
#define H H1
#define Z Z1
#define w w1
#define q q1
#define h h1
#define S S1
#define D D1
#define R R1
#define E E1
#define U U1
#define d d1
#define K K1
#define O O1
#define X X1
#define V V1
#define A A1
#define B B1
#include ONE
#undef Move
#undef m
#undef r
#undef c
#undef k
#undef e
#undef H
#undef Z
#undef w
#undef q
#undef h
#undef S
#undef D
#undef R
#undef E
#undef U
#undef d
#undef K
#undef O
#undef X
#undef V
#undef A
#undef B
#undef T
#undef P
#undef L
#define Move Move2
#define m m2
#define r r2
#define c c2
#define k k2
#define e e2
#define H H2
#define Z Z2
#define w w2
#define q q2
#define h h2
#define S S2
#define D D2
#define R R2
#define E E2
#define U U2
#define d d2
#define K K2
#define O O2
#define X X2
#define V V2
#define A A2
#define B B2
#include TWO
#undef Move
#undef m
#undef r
#undef c
#undef k
#undef e
#undef H
#undef Z
#undef w
#undef q
#undef h
#undef S
#undef D
#undef R
#undef E
#undef U
#undef d
#undef K
#undef O
#undef X
#undef V
#undef A
#undef B
#undef T
#undef P
#undef L

static int food[121];
static const int dr[] = {-1, -1, -1, 0, 1, 1, 1, 0}, dc[] = {-1, 0, 1, 1, 1, 0, -1, -1};

/* play plays one game; swap puts the second ant in the first seat. Where there is a script, its
 * moves are carried out. */
static void play(const int *cells, int swap, char *moves, const char *script) {
	int at[2] = {57, 63}, dead[2] = {0, 0}, n = 0, i, j, a, t, view[5][5], *rows[5];
	for (i = 0; i < 5; i++) rows[i] = view[i];
	memset(food, 0, sizeof food);
	for (i = 0; i < 15; i++) food[cells[i]] = 1;
	memset(&m1, 0, sizeof m1);
	memset(&m2, 0, sizeof m2);
	for (t = 0; t < 35; t++)
		for (a = 0; a < 2; a++) {
			int row = at[a] / 11, col = at[a] % 11, d, to;
			if (dead[a]) continue;
			for (i = 0; i < 5; i++)
				for (j = 0; j < 5; j++) {
					int cell = (row + i + 9) % 11 * 11 + (col + j + 9) % 11;
					view[i][j] = !dead[1 - a] && cell == at[1 - a] ? 2 : food[cell];
				}
			d = a ^ swap ? Move2(rows, row, col) : Move1(rows, row, col);
			moves[n] = '0' + d;
			if (script) d = script[n] - '0';
			n++;
			to = (row + dr[d] + 11) % 11 * 11 + (col + dc[d] + 11) % 11;
			at[a] = to;
			if (!dead[1 - a] && to == at[1 - a])
				dead[1 - a] = 1;
			else
				food[to] = 0;
		}
	moves[n] = 0;
}

int main(int argc, char **argv) {
	static int boards[100000][15];
	char moves[71], script[71];
	int n = 0, i, times, b;
	while (n < 100000 && scanf("%d", &boards[n][0]) == 1) {
		for (i = 1; i < 15; i++)
			if (scanf("%d", &boards[n][i]) != 1) return 1;
		if (argc > 1 && !strcmp(argv[1], "replay")) {
			if (scanf("%70s", script) != 1) return 1;
			play(boards[n], 0, moves, script);
			puts(moves);
			continue;
		}
		n++;
	}
	if (argc > 1 && !strcmp(argv[1], "replay")) return 0;
	if (argc > 1) {
		clock_t began = clock();
		for (times = atoi(argv[1]), i = 0; i < times; i++)
			for (b = 0; b < 2 * n; b++) play(boards[b / 2], b & 1, moves, NULL);
		printf("%.0f\n", (double)times * 2 * n * CLOCKS_PER_SEC / (double)(clock() - began));
		return 0;
	}
	for (b = 0; b < 2 * n; b++) {
		play(boards[b / 2], b & 1, moves, NULL);
		puts(moves);
	}
	return 0;
}
