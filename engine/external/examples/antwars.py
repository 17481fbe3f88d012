"""An ant that kills what stands beside it and else goes to the nearest food that it knows of."""
import json
import sys

NAMES = ["nw", "n", "ne", "e", "se", "s", "sw", "w"]
STEPS = [(-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1)]


def choose(board, heading):
    middle = len(board) // 2  # the ant stands there
    best, near = heading, len(board)
    for direction, (down, right) in enumerate(STEPS):
        row, column = middle + down, middle + right
        if board[row][column] == "X":
            return direction
        for r, letters in enumerate(board):
            for c, letter in enumerate(letters):
                distance = max(abs(r - row), abs(c - column))
                if letter in "Oo" and distance < near:
                    best, near = direction, distance
    return best


heading = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "game":
        heading = message["seed"] % 8
    elif message["type"] == "turn":
        direction = choose(message["observation"]["board"], heading)
        print(json.dumps({"action": NAMES[direction]}), flush=True)
