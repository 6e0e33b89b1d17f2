from .games import GAMES, game
