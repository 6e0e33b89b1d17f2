"""One road for all studies: deals are played into records, and records are replayed, counted and reported."""
