"""A bot of the original contest: places a block a turn."""
import json
import sys

text = sys.argv[-1]
state = json.loads(sys.stdin.read() if text == "-" else text)
y, x = 3 * state["tick_id"], 10 * state["bot_id"]
print(json.dumps([[y, x], [y, x + 1], [y + 1, x], [y + 1, x + 1]]))
