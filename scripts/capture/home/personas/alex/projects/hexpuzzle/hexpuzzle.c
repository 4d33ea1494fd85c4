/* A sliding puzzle on a hexagonal board, played in a terminal. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "board.h"

static void print_board(const struct board *board)
{
    for (int row = 0; row < BOARD_ROWS; row++) {
        printf("%*s", abs(BOARD_ROWS / 2 - row) * 2, "");
        for (int column = 0; column < board_row_length(row); column++) {
            int tile = board_tile(board, row, column);
            if (tile == EMPTY)
                printf("  . ");
            else
                printf(" %2d ", tile);
        }
        putchar('\n');
    }
}

int main(int argc, char **argv)
{
    unsigned seed = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 1;
    struct board board;
    char line[64];

    board_init(&board);
    board_shuffle(&board, seed, 200);
    for (;;) {
        print_board(&board);
        if (board_solved(&board)) {
            printf("Solved in %d moves.\n", board.moves);
            return 0;
        }
        printf("tile to slide, or q: ");
        if (!fgets(line, sizeof line, stdin) || line[0] == 'q')
            return 0;
        if (!board_slide(&board, atoi(line)))
            printf("Tile %s is not beside the gap.\n", strtok(line, "\n"));
    }
}
