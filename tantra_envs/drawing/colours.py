"""The colours of a drawing, light and dark, as CSS variables, and the CSS rules that use them."""

from __future__ import annotations

from pathlib import Path

from ..core.options import require

Palette = dict[str, tuple[str, str]]  # name -> (light, dark)

PLAIN: Palette = {
    "felt": ("#dfe9e2", "#14201b"),
    "panel": ("#f4f8f5", "#1e2e27"),
    "line": ("#b3c3ba", "#3c5148"),
    "ink": ("#17231d", "#e9f1ec"),
    "soft": ("#506159", "#a3b6ac"),
    "turn": ("#0a7d4d", "#46cf96"),
    "go": ("#1769e0", "#62a8ff"),
    "last": ("#d96c00", "#ffae42"),
    "card": ("#fffdf6", "#f0eadb"),
    "edge": ("#857f70", "#0a100d"),
    "print": ("#1d2026", "#1d2026"),
    "back": ("#34558b", "#3f5f98"),
    "weave": ("#8fa9d4", "#8fa9d4"),
    "red": ("#c8102e", "#c8102e"),
    "blue": ("#1d5fc4", "#1d5fc4"),
    "green": ("#157a3c", "#157a3c"),
    "black": ("#1d2026", "#1d2026"),
    "gold": ("#e3b341", "#d9a93a"),
    "amber": ("#94650a", "#94650a"),
    "vellum": ("#f8efd8", "#e9dfc4"),
    "violet": ("#6a3fa0", "#6a3fa0"),
    "tile": ("#17181b", "#08090a"),
    "rim": ("#4b4f57", "#5a5f68"),
    "tR": ("#e8322f", "#f2403c"),
    "tY": ("#f7cf22", "#f9d633"),
    "tG": ("#27a844", "#33b850"),
    "tB": ("#2f6fe4", "#437ff0"),
}
# Colours of Okabe and Ito, which people with common colour vision deficiencies can distinguish.
COLOUR_BLIND: Palette = PLAIN | {
    "red": ("#b84a00", "#b84a00"),
    "blue": ("#0068a8", "#0068a8"),
    "green": ("#007a5a", "#007a5a"),
    "gold": ("#e69f00", "#e69f00"),
    "violet": ("#a0487c", "#a0487c"),
    "turn": ("#007a5a", "#2bc59b"),
    "go": ("#0072b2", "#56b4e9"),
    "last": ("#c05000", "#ff9a4d"),
    "tR": ("#cc3311", "#dd4422"),  # sentences call it red, so it must not look orange
    "tY": ("#f0e442", "#f0e442"),
    "tG": ("#00a77c", "#00b386"),
    "tB": ("#56b4e9", "#56b4e9"),
}
# The plain colours of cards and tiles on green felt, as the browser shows them.
FELT: Palette = PLAIN | {
    "felt": ("#24573f", "#14251c"),
    "panel": ("#2e684d", "#1d3529"),
    "line": ("#4f8a6d", "#3b5a4a"),
    "ink": ("#f3faf6", "#f3faf6"),
    "soft": ("#d3e6db", "#b3c8bc"),
    "turn": ("#8ff0c1", "#5fe0a8"),
    "go": ("#6cb9ff", "#6cb9ff"),
    "last": ("#ffb54d", "#ffb54d"),
}
PALETTES = {"plain": PLAIN, "colour-blind": COLOUR_BLIND, "felt": FELT}
THEMES = ("auto", "light", "dark")

# `use` gives a card an edge, and `.in` inside the card removes it: so one class marks a whole card.
RULES = """
.te{font-family:ui-sans-serif,system-ui,sans-serif}
.te text{fill:var(--ink);stroke:none}
.te text.p{fill:var(--print)}
.te text.paper{fill:var(--panel)}
.te text.soft{fill:var(--soft)}
.te .b{font-weight:700}
.te .m{text-anchor:middle}
.te .e{text-anchor:end}
.te use{stroke:var(--edge);stroke-width:1}
.te .rim{stroke:var(--rim)}
.te .dim{opacity:.45}
.te .go{stroke:var(--go);stroke-width:2.6}
.te .shown{stroke:var(--gold);stroke-width:4}
.te .last{stroke:var(--last);stroke-width:3.5}
.te [data-action],.te [data-choose]{cursor:pointer}
.te .for{display:none}
.te .for.on{display:inline}
"""
# Rules inside symbols. Browsers match them on the copy that `use` makes of a symbol, where its id has no ancestors.
INSIDE = {
    "in": "stroke:none;fill-rule:evenodd",
    "ink": "fill:none;stroke-width:3.6;stroke-linecap:round;stroke-linejoin:round",
    "frame": "fill:none;stroke-width:1.2",
}


def check_look(theme: str, palette: str = "plain") -> None:
    """Raise ValueError for a theme or palette that does not exist."""
    for name, value, allowed in (("theme", theme, THEMES), ("palette", palette, tuple(PALETTES))):
        require(name, value, value in allowed, ", ".join(allowed))


def felt_style() -> str:
    """Return the style sheet that lays the drawings of a page on felt."""
    changed = (f"--{name}: light-dark{pair}" for name, pair in FELT.items() if pair != PLAIN[name])
    rules = "; ".join(f"{rule.replace(chr(39), '')} !important" for rule in changed)
    return (Path(__file__).parent / "page/felt.css").read_text(encoding="utf-8").replace("--felt: all", rules)


def style(root: str, palette: Palette) -> str:
    """Return the style sheet of one drawing: colours that apply to its root only, and the shared rules."""
    light = ";".join(f"--{name}:{colours[0]}" for name, colours in palette.items())
    dark = ";".join(f"--{name}:{now}" for name, (before, now) in palette.items() if now != before)
    inside = "".join(f'.te .{name},[id^="{root}-"] .{name}{{{rules}}}' for name, rules in INSIDE.items())
    return (
        f"#{root}{{{light}}}"
        f"@media(prefers-color-scheme:dark){{#{root}:not(.light){{{dark}}}}}"
        f"#{root}.dark{{{dark}}}{RULES.replace(chr(10), '')}{inside}"
    )
