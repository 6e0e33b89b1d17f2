"""Views: each file has a query over the games of a folder, and the tables and pages that show it.

A view is a module with

- `Args`, its options, which begin with `folders` and have `results`,
- `load(folder)`, which reads a folder,
- `results(loaded, args)`, which returns the figures as lines of `harness.results`,
- `show(results, screen)`, which prints them,
- and `write_pages(folder, results, command)`, which writes its pages and returns the files.
"""

VIEWS = {"losses": "Where an agent loses, by phase and kind of action."}
