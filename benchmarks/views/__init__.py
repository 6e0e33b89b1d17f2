"""Views: each file has a query over the games of a folder, and the tables and pages that show it.

A view is a module with

- `results(played)`, which returns the figures as lines of `harness.results`,
- `show(results, screen)`, which prints them,
- and, where it has pages, `write_pages(folder, results, command)`, which writes them and returns the files.

It may have `Args` with options of its own, which `results` takes as its second argument, `load(folder)` in place of
`harness.played.read_folder`, and `check(loaded, args)`, which raises ValueError for options that do not fit.
"""

VIEWS = {
    "scores": "The score of every row of a plan, with its interval.",
    "standings": "The order of agents that met each other, with ratings and the score of every pair.",
    "ladder": "Strength against thinking time.",
    "study": "What a study has measured, as answers and a page.",
    "losses": "Where an agent loses, by phase and kind of action.",
}
