"""Measure the speed of the environments, by themselves and next to other suites."""
