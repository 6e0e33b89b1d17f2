"""What a network may know of each action of a game before it is made: what comes of it, by the rules and the view."""
