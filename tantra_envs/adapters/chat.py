"""A program for the agent `text:COMMAND` that asks a model behind an endpoint with the interface of OpenAI.

    OPENAI_BASE_URL=http://localhost:8000/v1 python -m tantra_envs.adapters.chat MODEL

It reads questions from its standard input, each with an empty line after it, and prints the last line of every reply.
An endpoint that needs a key gets that of OPENAI_API_KEY.
"""

import json
import os
import sys
import urllib.request

LOCAL = "http://localhost:8000/v1"  # where vLLM serves by default


def main(model: str) -> None:
    """Answer questions until the input ends."""
    question = ""
    for line in sys.stdin:
        if line.strip():
            question += line
        elif question:
            print(_last_line(reply(model, question)), flush=True)
            question = ""


def reply(model: str, question: str) -> str:
    """Return the reply of a model to a question; raise OSError if the endpoint refuses it or does not answer."""
    address = f"{os.environ.get('OPENAI_BASE_URL', LOCAL).rstrip('/')}/chat/completions"
    content = {"model": model, "messages": [{"role": "user", "content": question}]}
    headers = {"Content-Type": "application/json"}
    if key := os.environ.get("OPENAI_API_KEY"):
        headers["Authorization"] = f"Bearer {key}"
    with urllib.request.urlopen(urllib.request.Request(address, json.dumps(content).encode(), headers)) as response:
        text: str | None = json.load(response)["choices"][0]["message"]["content"]
    return text or ""


def _last_line(text: str) -> str:
    """Return the last line that is not empty; an empty reply must be a line, too."""
    return next((line for line in reversed(text.splitlines()) if line.strip()), "(empty)")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("error: the name of a model is missing, or more is given: python -m tantra_envs.adapters.chat MODEL")
    main(sys.argv[1])
