"""A program for the agent `text:COMMAND` that asks a model behind an endpoint with the interface of OpenAI.

    OPENAI_BASE_URL=http://localhost:8000/v1 python -m tantra_envs.adapters.chat MODEL temperature=0 max_tokens=200

It reads questions from its standard input, each with an empty line after it, and prints the last line of every reply.
An endpoint that needs a key gets that of OPENAI_API_KEY. Words after MODEL are fields of the request. The field
`system` is a message before every question.
"""

import json
import os
import sys
import urllib.request
from collections.abc import Mapping
from http.client import HTTPException
from typing import Any

LOCAL = "http://localhost:8000/v1"  # where vLLM serves by default
SHOWN = 200  # bytes of an answer that an error shows


def main(model: str, *words: str) -> None:
    """Answer questions until the input ends; `words` are fields of the request, NAME=VALUE."""
    fields = {name: _value(text) for name, _, text in (word.partition("=") for word in words)}
    question = ""
    for line in sys.stdin:
        if line.strip():
            question += line
        elif question:
            try:
                print(_last_line(reply(model, question, fields)), flush=True)
            except (OSError, ValueError, HTTPException) as error:
                sys.exit(f"error: {_address()} did not answer: {error}")
            question = ""


def reply(model: str, question: str, fields: Mapping[str, Any]) -> str:
    """Return the reply of a model to a question.

    Raises:
        OSError, HTTPException: The endpoint gives no reply.
        ValueError: Its address is not a URL.
    """
    said = {"system": fields.get("system"), "user": question}
    messages = [{"role": role, "content": text} for role, text in said.items() if text]
    content = {"model": model, "messages": messages, **{name: fields[name] for name in fields if name != "system"}}
    headers = {"Content-Type": "application/json"}
    if key := os.environ.get("OPENAI_API_KEY"):
        headers["Authorization"] = f"Bearer {key}"
    with urllib.request.urlopen(urllib.request.Request(_address(), json.dumps(content).encode(), headers)) as response:
        answer = response.read()
    try:
        text: str | None = json.loads(answer)["choices"][0]["message"]["content"]
    except (LookupError, TypeError, ValueError):
        raise OSError(f"it sent no choices[0].message.content: {answer[:SHOWN].decode(errors='replace')}") from None
    return text or ""


def _address() -> str:
    return f"{os.environ.get('OPENAI_BASE_URL', LOCAL).rstrip('/')}/chat/completions"


def _value(text: str) -> Any:
    """Return a value in JSON, or the text itself."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def _last_line(text: str) -> str:
    """Return the last line that is not empty; an empty reply must be a line, too."""
    return next((line for line in reversed(text.splitlines()) if line.strip()), "(empty)")


if __name__ == "__main__":
    if len(sys.argv) < 2 or not all("=" in word for word in sys.argv[2:]):
        sys.exit("error: allowed: python -m tantra_envs.adapters.chat MODEL [FIELD=VALUE ...]")
    sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]  # a reply may not fit the system's encoding
    main(*sys.argv[1:])
