"""The game on a terminal."""

import board
import minimax


def show(b):
    for row in range(5):
        print(" ".join(b.fields[5 * row + 1:5 * row + 6]))


def read_move(b):
    while True:
        m = board.make_move(int(input("From: ")), int(input("To: ")))
        if board.is_legal(m, b):
            return m
        print("That is not a legal move.")


def main():
    humans = {
        True: input("Does a human play white (y/n)? ") == "y",
        False: input("Does a human play black (y/n)? ") == "y",
    }
    b = board.make_board()
    while not board.is_game_over(b):
        show(b)
        if humans[board.white_plays(b)]:
            m = read_move(b)
        else:
            m = minimax.next_move(b, 2)
        board.move(m, b)
    show(b)


if __name__ == "__main__":
    main()
