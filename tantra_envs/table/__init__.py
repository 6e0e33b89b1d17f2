"""A table in the browser, where people and agents play.

- `history` holds the game.
- `table` seats people and agents.
- `advice` puts hints into words.
- `server` answers the pages of the people.
- `page.*` are the files of a page.

The server decides and draws. A page shows the picture of its seat and sends the number of an action.
"""
