"""How processes end."""

import atexit
import contextlib
import ctypes
import os
import signal
import sys
import threading

from paretofl import _engine

PR_SET_PDEATHSIG = 1

_changed = threading.Condition()
_calls_under_way: dict[int, int] = {}  # number by process: a forked one has none of its parent's threads


def end_with_parent():
    """Lets SIGTERM end this process when the one that has started it ends, however that is."""
    parent = os.getppid()
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGTERM)


@contextlib.contextmanager
def awaited_at_exit():
    """A context for a call of the engine. Where the program ends while it goes on, as in a daemon thread, the end waits for it: the engine's
    threads call Python code, which an interpreter that is gone cannot run. Runs and sweeps then stop after their round, with a checkpoint."""
    _add_call(1)
    try:
        yield
    finally:
        _add_call(-1)


def _be_main_thread():
    """Before 3.11.5, Python takes the object that stands for a thread of the engine's for the main thread of a process that is forked there, and
    such a process, as of a data loader or of multiprocessing, would end with an AssertionError and the exit code 1."""
    if isinstance(threading.main_thread(), threading._DummyThread):
        threading._main_thread = threading._MainThread()


os.register_at_fork(after_in_child=_be_main_thread)  # after what the module threading does


def _add_call(number):
    with _changed:
        _calls_under_way[os.getpid()] = _calls_under_way.get(os.getpid(), 0) + number
        _changed.notify_all()


@atexit.register
def _await_calls():
    with _changed:
        if _calls_under_way.get(os.getpid(), 0):
            print("paretofl: the program has ended while a run goes on in one of its threads; waiting for the end of its round, and a checkpoint",
                  file=sys.stderr)
            _engine.ask_to_end()
            _changed.wait_for(lambda: _calls_under_way[os.getpid()] == 0)
