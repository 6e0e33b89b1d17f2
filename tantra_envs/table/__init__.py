"""A table in the browser: `history` keeps the game, `table` seats people and agents, `advice` words the hints, `server`
answers, `page.*` shows.

The server decides and draws; a page gets the picture that its seat may see and sends the number of an action.
"""
