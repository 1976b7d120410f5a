/* Plays random moves in Breakthrough (8x8), as a minimal UGI engine for tournaments of the arena.
   Build: cc -O2 -o breakthrough breakthrough.c */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Square 0 is a1, 8 is a2. */
static char board[64];
static char side;

static int number(const char *text) { return text[0] - 'a' + 8 * (text[1] - '1'); }

/* `position startpos moves a2-a3 …`; a capture is `b4xa3`. */
static void position(char *line) {
    memset(board, '-', 64);
    memset(board, 'w', 16);
    memset(board + 48, 'b', 16);
    side = 'w';
    char *moves = strstr(line, "moves ");
    for (char *word = moves ? strtok(moves + 6, " \n") : NULL; word; word = strtok(NULL, " \n")) {
        board[number(word + 3)] = board[number(word)];
        board[number(word)] = '-';
        side = side == 'w' ? 'b' : 'w';
    }
}

static void go(void) {
    int step = side == 'w' ? 8 : -8, count = 0, from = 0, to = 0;
    for (int start = 0; start < 64; start++) {
        int ahead = start + step;
        if (board[start] != side || ahead < 0 || ahead >= 64) continue;
        for (int turn = -1; turn <= 1; turn++) {
            int column = start % 8 + turn;
            if (column < 0 || column > 7) continue;
            char there = board[ahead + turn];
            /* Straight ahead only to an empty square; diagonally also to take. */
            if (there != '-' && (turn == 0 || there == side)) continue;
            /* Each move is as likely as the others. */
            if (rand() % ++count == 0) from = start, to = ahead + turn;
        }
    }
    printf("bestmove %c%d-%c%d\n", 'a' + from % 8, from / 8 + 1, 'a' + to % 8, to / 8 + 1);
}

int main(void) {
    static char line[1 << 16];
    srand((unsigned)(time(NULL) ^ getpid()));
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "ugi\n", 4)) puts("ugiok");
        else if (!strncmp(line, "isready", 7)) puts("readyok");
        else if (!strncmp(line, "position", 8)) position(line);
        else if (!strncmp(line, "go", 2)) go();
        else if (!strncmp(line, "quit", 4)) break;
        fflush(stdout);
    }
    return 0;
}
