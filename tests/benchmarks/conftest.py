"""What tests of experiments share."""

import shlex
import sys

import pytest

import tantra_envs
from benchmarks.harness import pages, plans, records
from benchmarks.harness.plans import MatchSpec, Shard

PROGRAM = """
import sys

legal, asked = [], 0
for line in sys.stdin:
    if line.startswith("- "):
        legal.append(line[2:])
    elif not line.strip():
        with open(sys.argv[1], "a") as log:
            log.write("asked\\n")
        asked += 1
        if sys.argv[2] == "dies":
            sys.exit("out of credit")
        print(legal[0].strip() if asked % 3 or sys.argv[2] != "nonsense" else "hm", flush=True)
        legal = []
"""


class Program:
    """A program that plays the first legal action, and counts its questions.

    Its command is longer than the name of a file can be.
    """

    def __init__(self, folder):
        long = folder / ("long-" * 40)
        long.mkdir()
        self._file, self._log = long / "program.py", folder / "log"
        self._file.write_text(PROGRAM)

    def word(self, manner):
        """Return the name of the agent: it answers `well`, every third time with `nonsense`, or it `dies`."""
        return f"text:{shlex.join([sys.executable, str(self._file), str(self._log), manner])},retries=0"

    @property
    def questions(self):
        return len(self._log.read_text().splitlines())


@pytest.fixture
def program(tmp_path):
    return Program(tmp_path)


@pytest.fixture(scope="module", autouse=True)
def no_pictures():
    """Drawing takes most of the time of a small experiment. The examples of help texts draw."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pages, "_svg", lambda draw, theme, salt: "<svg></svg>")
        yield


@pytest.fixture
def recorded(tmp_path):
    """Return a function that plays deals with the first agent alone among copies of the last one: their record."""

    def play(name, *agents, deals, rotations=None, **options):
        teams = len(tantra_envs.game(name, **options).teams)
        lineup = (0, *(len(agents) - 1,) * (teams - 1))
        match = MatchSpec(name, tuple(options.items()), agents, lineup, 0, rotations=rotations)
        file = tmp_path / f"games_0000000_{deals}.parquet"
        records.write(file, plans.match_label(match), plans.play_shard(Shard(match, 0, deals)))
        return records.read(file)

    return play


@pytest.fixture
def stopped_after(monkeypatch, capsys):
    """`stopped_after(n, study)` calls a study that is stopped when it has kept n records, and says that it goes on."""

    def stop(n, study):
        write, written = records.write, []

        def stops(file, label, games):
            if len(written) == n:
                raise KeyboardInterrupt
            written.append(file)
            write(file, label, games)

        with monkeypatch.context() as broken:
            broken.setattr(records, "write", stops)
            with pytest.raises(SystemExit) as ended:
                study()
        assert ended.value.code == 130 and "run the same command again" in capsys.readouterr().err

    return stop
