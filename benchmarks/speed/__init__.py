"""Measure the speed of the environments, alone and in comparison with other suites."""
