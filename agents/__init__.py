"""Players. A new one is a file here and a line in this table.

from agents.agent import parse
greedy, scripted = parse("greedy,scripted", game)
"""

# Each is called with the game, and with what follows a colon in `learned:karma` or `ppo:runs/k7/model.zip`.
AGENTS = {
    "uniform": "agents.uniform:Uniform",
    "greedy": "agents.greedy:Greedy",
    "scripted": "agents.scripted:Scripted",
    "learned": "agents.shipped:Shipped",
    "ppo": "agents.learned:Learned",
}
