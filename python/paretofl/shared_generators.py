"""Who draws from the random generators that the whole process shares: PyTorch's, NumPy's and Python's."""

from __future__ import annotations

import contextlib
import threading

_one_at_a_time = threading.RLock()
_counting = threading.Lock()
_begun = 0
_under_way = 0


@contextlib.contextmanager
def may_draw():
    """For code that may draw from them beside the steps of a run: steps that go on meanwhile do not take its draws for their own."""
    global _begun, _under_way
    with _counting:
        _begun, _under_way = _begun + 1, _under_way + 1
    try:
        yield
    finally:
        with _counting:
            _under_way -= 1


@contextlib.contextmanager
def alone():
    """Likewise, for code whose draws must not mix with those of steps that seed these generators."""
    with _one_at_a_time, may_draw():
        yield


def quiet_since(begun):
    """Whether nobody was in `may_draw` since `moment` returned this."""
    with _counting:
        return _under_way == 0 and _begun == begun


def moment():
    """A number for `quiet_since`; None if somebody may draw at this moment."""
    with _counting:
        return _begun if _under_way == 0 else None
