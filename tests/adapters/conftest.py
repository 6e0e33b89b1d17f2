"""What tests of other people's trainers leave behind."""

import sys

import pytest


@pytest.fixture(scope="module", autouse=True)
def _no_ray_left():
    """RLlib begins a Ray and never ends it: the next file's tests begin or join their own."""
    yield
    if ray := sys.modules.get("ray"):
        ray.shutdown()
