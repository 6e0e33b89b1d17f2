"""What tests of studies share."""

from __future__ import annotations

import pytest

from benchmarks.harness import records


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
