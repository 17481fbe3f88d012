"""Runs a bot of the original Life contest: python3 life-contest.py COMMAND...

The bot is started for each turn with the state as last argument, from 128 KiB on with the argument
"-" and the state on its standard input, and prints an array of pairs [y,x]."""
import json
import subprocess
import sys

facts = {}
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "game":
        facts = message["facts"]
    if message["type"] != "turn":
        continue
    seen = message["observation"]
    bot = 1 if seen["first"] else 2
    owned = [(y, x, bot) for y, x in seen["own"]] + [(y, x, 3 - bot) for y, x in seen["enemy"]]
    state = json.dumps({
        "y_size": facts["height"], "x_size": facts["width"],
        "board": {"(%d,%d)" % (y, x): owner for y, x, owner in sorted(owned)},
        "bot_id": bot, "tick_id": seen["generation"]}, separators=(",", ":"))
    long = len(state) >= 128 * 1024
    ran = subprocess.run(sys.argv[1:] + ["-" if long else state], input=state if long else None,
                         stdout=subprocess.PIPE, universal_newlines=True, check=True)
    print(json.dumps({"action": json.loads(ran.stdout)}), flush=True)
