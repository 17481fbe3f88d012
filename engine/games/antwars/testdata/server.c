/* A game server for ants written by clade, which the file ANTS includes and lists: reads boards, one a
 * line of fifteen cells, plays each with the first two ants in both seats, and prints the moves; with
 * a number as argument it plays all boards that often and prints games a second instead. With the
 * word replay it reads recorded games, the numbers of two ants behind the fifteen cells, and the
 * moves, carries these out, and prints what the ants would have done. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct ant {
	int (*move)(int **, int, int);
	void *memory;
	size_t size;
};
#include ANTS

static int food[121];
static const int dr[] = {-1, -1, -1, 0, 1, 1, 1, 0}, dc[] = {-1, 0, 1, 1, 1, 0, -1, -1};

/* play plays one game of two ants. Where there is a script, its moves are carried out. */
static void play(const int *cells, int one, int two, char *moves, const char *script) {
	const struct ant *seat[2] = {&ants[one], &ants[two]};
	int at[2] = {57, 63}, dead[2] = {0, 0}, n = 0, i, j, a, t, view[5][5], *rows[5];
	for (i = 0; i < 5; i++) rows[i] = view[i];
	memset(food, 0, sizeof food);
	for (i = 0; i < 15; i++) food[cells[i]] = 1;
	for (a = 0; a < 2; a++) memset(seat[a]->memory, 0, seat[a]->size);
	for (t = 0; t < 35; t++)
		for (a = 0; a < 2; a++) {
			int row = at[a] / 11, col = at[a] % 11, d, to;
			if (dead[a]) continue;
			for (i = 0; i < 5; i++)
				for (j = 0; j < 5; j++) {
					int cell = (row + i + 9) % 11 * 11 + (col + j + 9) % 11;
					view[i][j] = !dead[1 - a] && cell == at[1 - a] ? 2 : food[cell];
				}
			d = seat[a]->move(rows, row, col);
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
	int n = 0, i, times, b, one, two;
	while (n < 100000 && scanf("%d", &boards[n][0]) == 1) {
		for (i = 1; i < 15; i++)
			if (scanf("%d", &boards[n][i]) != 1) return 1;
		if (argc > 1 && !strcmp(argv[1], "replay")) {
			if (scanf("%d %d %70s", &one, &two, script) != 3) return 1;
			play(boards[n], one, two, moves, script);
			puts(moves);
			continue;
		}
		n++;
	}
	if (argc > 1 && !strcmp(argv[1], "replay")) return 0;
	if (argc > 1) {
		clock_t began = clock();
		for (times = atoi(argv[1]), i = 0; i < times; i++)
			for (b = 0; b < 2 * n; b++) play(boards[b / 2], b & 1, !(b & 1), moves, NULL);
		printf("%.0f\n", (double)times * 2 * n * CLOCKS_PER_SEC / (double)(clock() - began));
		return 0;
	}
	for (b = 0; b < 2 * n; b++) {
		play(boards[b / 2], b & 1, !(b & 1), moves, NULL);
		puts(moves);
	}
	return 0;
}
