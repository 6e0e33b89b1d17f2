"""Sets: what lies on the table, what a hand can lay down or lay off, and what it lacks."""
