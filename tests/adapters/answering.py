"""Programs that read prompts and write replies, each in its own manner: `python answering.py MANNER`."""

import sys
import time


def main(manner):
    asked = []
    for line in sys.stdin:
        if line.strip():
            asked.append(line.rstrip("\n"))
            continue
        if manner == "ends":
            return
        if manner == "dies":
            print("loading the model\nCUDA is not there\n", file=sys.stderr)
            sys.exit(3)
        if manner != "never":
            time.sleep(30 if manner == "late" else 0)
            print(answer(asked, manner), flush=True)
        if manner == "once":
            return
        asked = []


def answer(asked, manner):
    legal = asked[asked.index("You may:") + 1 : -1]
    if manner in ("well", "once"):
        return f"I will {legal[-1].removeprefix('- ')}."
    if manner == "mends" and asked[0].startswith("No action"):
        return legal[0]
    return "as you like it"


main(sys.argv[1])
