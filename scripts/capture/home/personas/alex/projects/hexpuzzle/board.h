#ifndef BOARD_H
#define BOARD_H

#include <stdbool.h>

#define BOARD_ROWS 5
#define BOARD_TILES 19
#define EMPTY 0

/* Cells are numbered row by row: 3, 4, 5, 4, 3 of them. */
struct board {
    int tiles[BOARD_TILES];
    int gap;
    int moves;
};

void board_init(struct board *board);
void board_shuffle(struct board *board, unsigned seed, int steps);
bool board_slide(struct board *board, int tile);
bool board_solved(const struct board *board);
int board_tile(const struct board *board, int row, int column);
int board_row_length(int row);

#endif
