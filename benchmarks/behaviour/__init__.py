"""What players do: figures and pictures of how they behave, side by side, computed from recorded games."""
