"""Programs that read prompts and write replies, each in its own manner: `python replying_programs.py MANNER`."""

import sys
import time


def main(manner):
    asked, pause = [], 0.02 if manner.startswith("slow") else 0
    while manner == "endless":
        print("pickup", flush=True)
    if manner.endswith("banner"):
        time.sleep(pause)
        print("loading a model", flush=True)
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
            if manner.endswith("loader"):
                print("loading a model", flush=True)
                manner = manner.removesuffix("loader")
            time.sleep(pause)
            print(answer(asked, manner), flush=True)
        if manner.endswith("talker"):
            time.sleep(pause)
            print("pickup", flush=True)
        if manner.endswith("flooder"):
            print("pickup\n" * 1000, flush=True)
        if manner == "once":
            return
        asked = []


def answer(asked, manner):
    legal = asked[asked.index("You may:") + 1 : -1]
    if manner in ("well", "once"):
        return f"I will {legal[-1].removeprefix('- ')}."
    if manner == "mends" and asked[0].startswith("No action"):
        return legal[0]
    if manner.startswith(("slow", "fast")):
        return legal[0]
    return "as you like it"


main(sys.argv[1])
