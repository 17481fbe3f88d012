"""Amoebas that divide when rich, hit what is near, and graze."""
import json
import sys

DIRECTIONS = ["nw", "n", "ne", "e", "se", "s", "sw", "w"]
STEPS = [(-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1)]


def choose(seen, actions):
    friends = {(a["y"], a["x"]) for a in seen["amoebas"] if a["species"] == seen["species"]}
    fuel = seen["fuel"]
    middle = len(fuel) // 2  # the own cell
    best, most = "rest", fuel[middle][middle]
    for action in actions:
        command, _, direction = action.partition(" ")
        if command == "rest":
            continue
        down, right = STEPS[DIRECTIONS.index(direction)]
        if command == "divide" and seen["energy"] > 70:
            return action
        if command == "hit" and seen["energy"] >= 20 and (down, right) not in friends:
            return action
        if command == "move" and seen["energy"] >= 10 and fuel[middle][middle] < 5:
            if fuel[middle + down][middle + right] > most:
                best, most = action, fuel[middle + down][middle + right]
    return best


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "turn":
        print(json.dumps({"action": choose(message["observation"], message["actions"])}), flush=True)
