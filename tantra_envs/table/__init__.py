"""A table in the browser, where people and agents play.

- `history` holds the game.
- `session` seats people and agents, and knows who may do what.
- `reader` makes what a person is shown.
- `runner` lets the agents play.
- `table` joins them, and asks the agents that advise; `advice` puts hints into words.
- `server` answers the pages of the people.
- `page.*` are the files of a page.

The server decides and draws. A page shows the picture of its seat and sends the number of an action.
"""
