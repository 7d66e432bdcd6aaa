"""How processes end."""

import ctypes
import os
import signal

PR_SET_PDEATHSIG = 1


def end_with_parent():
    """Lets SIGTERM end this process when the one that has started it ends, however that is."""
    parent = os.getppid()
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGTERM)
