"""An exact search that decides whether all sets can be laid, or an unfinished set completed."""
