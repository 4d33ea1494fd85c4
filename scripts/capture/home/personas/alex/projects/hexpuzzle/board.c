#include "board.h"

static const int ROW_LENGTH[BOARD_ROWS] = {3, 4, 5, 4, 3};

int board_row_length(int row)
{
    return ROW_LENGTH[row];
}

static int cell_index(int row, int column)
{
    int index = column;
    for (int above = 0; above < row; above++)
        index += ROW_LENGTH[above];
    return index;
}

/* Twice the horizontal position, so that neighbouring rows are offset by one. */
static void cell_position(int index, int *row, int *twice_x)
{
    *row = 0;
    while (index >= ROW_LENGTH[*row])
        index -= ROW_LENGTH[(*row)++];
    *twice_x = 2 * index + 5 - ROW_LENGTH[*row];
}

static bool adjacent(int a, int b)
{
    int row_a, row_b, x_a, x_b;
    cell_position(a, &row_a, &x_a);
    cell_position(b, &row_b, &x_b);
    int across = x_a > x_b ? x_a - x_b : x_b - x_a;
    int down = row_a > row_b ? row_a - row_b : row_b - row_a;
    return (down == 0 && across == 2) || (down == 1 && across == 1);
}

void board_init(struct board *board)
{
    for (int i = 0; i < BOARD_TILES; i++)
        board->tiles[i] = (i + 1) % BOARD_TILES;
    board->gap = BOARD_TILES - 1;
    board->moves = 0;
}

bool board_slide(struct board *board, int tile)
{
    for (int i = 0; i < BOARD_TILES; i++) {
        if (board->tiles[i] == tile && tile != EMPTY && adjacent(i, board->gap)) {
            board->tiles[board->gap] = tile;
            board->tiles[i] = EMPTY;
            board->gap = i;
            board->moves++;
            return true;
        }
    }
    return false;
}

void board_shuffle(struct board *board, unsigned seed, int steps)
{
    while (steps > 0) {
        seed = seed * 1664525u + 1013904223u;
        if (board_slide(board, 1 + (int)((seed >> 16) % (BOARD_TILES - 1))))
            steps--;
    }
    board->moves = 0;
}

bool board_solved(const struct board *board)
{
    for (int i = 0; i < BOARD_TILES; i++)
        if (board->tiles[i] != (i + 1) % BOARD_TILES)
            return false;
    return true;
}

int board_tile(const struct board *board, int row, int column)
{
    return board->tiles[cell_index(row, column)];
}
