"""A game as small as games get, copied into a small package by the tests of the compiler's cache."""
