"""Progress in a log: a plain line for every tenth and every minute."""

from tantra_envs.programs.progress import Lines, progress


def test_a_log_gets_a_line_for_every_tenth(capsys):
    with progress("games", 40) as advance:
        for number in range(40):
            advance(1, f"score {number}")
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 10
    assert lines[0] == "games: 4 of 40, score 3" and lines[-1] == "games: 40 of 40, score 39"


def test_words_stay_until_there_are_others_and_a_resumed_run_goes_on_where_it_was(capsys):
    with progress("games", 2000, 1100) as advance:
        advance(0, "0.5 against uniform")
        advance(99)
        assert capsys.readouterr().out == ""
        advance(1)
    assert capsys.readouterr().out == "games: 1,200 of 2,000, 0.5 against uniform\n"


def test_a_slow_command_gets_a_line_every_minute(capsys):
    seconds = iter(range(0, 1000, 10))
    lines = Lines("decisions", 10**9, clock=lambda: next(seconds))
    for _ in range(30):
        lines.advance(1)
    assert len(capsys.readouterr().out.splitlines()) == 5
