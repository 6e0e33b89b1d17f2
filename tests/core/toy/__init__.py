"""A game as small as games get, copied into a small package by the tests of the compiler's cache."""

from ...core.compiled import drivers
from . import rules

DRIVERS = drivers.bind(rules, rules, rules, rules.FIELDS.conceal)
