"""A program for the agent `text:COMMAND` that asks a model behind an endpoint with the interface of OpenAI.

    OPENAI_BASE_URL=http://localhost:8000/v1 python -m tantra_envs.adapters.chat MODEL temperature=0 max_tokens=200

It reads questions from its standard input, each with an empty line after it, and prints every reply as one line, with
vertical tabs in place of line ends. An endpoint that needs a key gets that of OPENAI_API_KEY. Words after MODEL are
fields of the request. The field `system` is a message before every question.

If the endpoint is busy (HTTP 429 or 5xx) or a connection breaks, the program waits and asks again: as long as the
endpoint says in Retry-After, else 1, 2, 4, .. seconds. It gives up when the timeout of the agent would pass.
"""

import email.utils
import json
import os
import ssl
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from http.client import BadStatusLine, HTTPException, IncompleteRead
from typing import Any

from .programs import OPTIONS, TIMEOUT

LOCAL = "http://localhost:8000/v1"  # where vLLM serves by default
SHOWN = 200  # bytes of an answer that an error shows
TRIED = 0.98  # share of the timeout of the agent in which the endpoint is asked
LEAST = 0.1  # seconds between two tries, and for a try
BUSY, FAULTY = 429, 500  # HTTP statuses after which the endpoint is asked again: this one, and those from here on
BROKEN = (ConnectionError, TimeoutError, BadStatusLine, IncompleteRead, ssl.SSLEOFError)


def main(model: str, *words: str) -> None:
    """Answer questions until the input ends; `words` are fields of the request, NAME=VALUE."""
    fields = {name: _value(text) for name, _, text in (word.partition("=") for word in words)}
    question = ""
    for line in sys.stdin:
        if line.strip():
            question += line
        elif question:
            try:
                lines = filter(str.strip, reply(model, question, fields).splitlines())
                print("\v".join(lines) or "(empty)", flush=True)  # an empty reply must be a line, too
            except (OSError, ValueError, HTTPException) as error:
                sys.exit(f"error: {_address()} did not answer: {error}")
            question = ""


def reply(model: str, question: str, fields: Mapping[str, Any]) -> str:
    """Return the reply of a model to a question.

    Raises:
        OSError, HTTPException: The endpoint gives no reply in time.
        ValueError: Its address is not a URL.
    """
    said = {"system": fields.get("system"), "user": question}
    messages = [{"role": role, "content": text} for role, text in said.items() if text]
    content = {"model": model, "messages": messages, **{name: fields[name] for name in fields if name != "system"}}
    headers = {"Content-Type": "application/json"}
    if key := os.environ.get("OPENAI_API_KEY"):
        headers["Authorization"] = f"Bearer {key}"
    answer = _answer(urllib.request.Request(_address(), json.dumps(content).encode(), headers))
    try:
        return _text(json.loads(answer)["choices"][0]["message"]["content"])
    except (LookupError, TypeError, ValueError):
        raise OSError(f"it sent no choices[0].message.content: {answer[:SHOWN].decode(errors='replace')}") from None


def _answer(request: urllib.request.Request) -> bytes:
    """Return what the endpoint answers; ask again while it is busy or connections break, until the time is over."""
    until = time.monotonic() + TRIED * float(os.environ.get(TIMEOUT) or OPTIONS["timeout"])
    pause = 1.0
    while True:
        try:
            with urllib.request.urlopen(request, timeout=max(LEAST, until - time.monotonic())) as response:
                return bytes(response.read())
        except (OSError, HTTPException) as error:
            wait = _wait(error, pause)
            if wait is None:
                raise
            if time.monotonic() + wait > until:
                raise OSError(f"{error}; the next try, in {wait:.0f} s, would be after the timeout") from None
            print(f"{_address()}: {error}; asking again in {wait:.1f} s", file=sys.stderr, flush=True)
        time.sleep(wait)
        pause *= 2


def _wait(error: Exception, pause: float) -> float | None:
    """Return the seconds to wait after an error: those of Retry-After, else `pause`; None = do not ask again."""
    if isinstance(error, urllib.error.HTTPError):
        return _retry_after(error, pause) if error.code == BUSY or error.code >= FAULTY else None
    return pause if isinstance(getattr(error, "reason", error), BROKEN) else None


def _retry_after(error: urllib.error.HTTPError, pause: float) -> float:
    """Return the seconds of the header Retry-After, which is a number or a date, else `pause`."""
    words = error.headers.get("Retry-After", "")
    if words.isdecimal():
        return max(LEAST, float(words))
    date = email.utils.parsedate_tz(words)
    return max(LEAST, email.utils.mktime_tz(date) - time.time()) if date else pause


def _text(content: Any) -> str:
    """Return the text of a message, which is text, None, or a list of parts; raise TypeError for anything else.

    Parts of other types than text, such as thoughts, are left out.
    """
    if isinstance(content, list):
        texts = [part for part in content if isinstance(part, str) or part["type"] in ("text", "output_text")]
        return "".join(_text(part if isinstance(part, str) else part["text"]) for part in texts)
    if content is not None and not isinstance(content, str):
        raise TypeError
    return content or ""


def _address() -> str:
    return f"{os.environ.get('OPENAI_BASE_URL', LOCAL).rstrip('/')}/chat/completions"


def _value(text: str) -> Any:
    """Return a value in JSON, or the text itself."""
    try:
        return json.loads(text)
    except ValueError:
        return text


if __name__ == "__main__":
    if len(sys.argv) < 2 or not all("=" in word for word in sys.argv[2:]):
        sys.exit("error: allowed: python -m tantra_envs.adapters.chat MODEL [FIELD=VALUE ...]")
    sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]  # a reply may not fit the system's encoding
    main(*sys.argv[1:])
