"""Views: each file has a query over the games of a folder, and the tables and pages that show it.

A view is a module with

- `results(played)`, which returns the figures as lines of `tantra_envs.programs.results`,
- `show(results, screen)`, which prints them,
- and, where it has pages, `write_pages(folder, results, command)`, which writes them and returns the files.

It may have `FILE`, the name of its file in place of results.csv, and `Args` with options of its own, which `results`
takes as its second argument. It may have `load(folder)` in place of `harness.played.read_folder`,
`check(loaded, args)`, which raises ValueError for options that do not fit, `combine(loaded)`, which makes one of
several folders, and `add(files, loaded, screen)`, which writes files beside those of the results, and prints what needs
more than the results.
"""

VIEWS = {
    "scores": "The score of every row of a plan, with its interval.",
    "standings": "The order of agents that met each other, with ratings and the score of every pair.",
    "ladder": "Strength against thinking time.",
    "study": "What a study has measured, as answers and a page.",
    "rank": "The scores of agents in the benchmark suite, and their place.",
    "losses": "Where an agent loses, by phase and kind of action.",
}
OF_PLANS = ("scores", "standings", "ladder")  # those that show any rows
