"""The resident process of a party with a problem of one's own."""

from __future__ import annotations

import signal as signals
import threading

from paretofl import _engine
from paretofl.annotations import Options, Path, Strategies
from paretofl.problem import Problem
from paretofl.run import config_of, running
from paretofl.settings import assignments, path_of, with_options


def host(problem: Problem, *, strategy: Strategies, socket: Path, state: Path, rounds: int | None = None, seed: int | None = None,
         options: Options | None = None) -> None:
    """Is the process of one client of a federation until a signal comes, as the command `paretofl host` is for configs.

    problem: with one client's data: its `own_clients()` is [k].
    strategy, rounds, seed, options: the same as in the server's `paretofl.run`, whose problem has no client's data (`own_clients()` is [])
        and whose options name the runtime: {"runtime.name": "sockets", "runtime.sockets": "/run/paretofl/client-{client}"}.
    socket: the Unix socket to answer on; only its owner can open it.
    state: a folder of what must outlive the process; one process at a time works in it.

    Ctrl-C raises KeyboardInterrupt; SIGTERM and SIGHUP return. Error on bad input, in another thread than the main one, and if another process
    has the state or the socket.
    """
    if threading.current_thread() is not threading.main_thread():
        raise _engine.Error("host: expected a call in the main thread, which signals end, found one in another")
    own = problem._description(anew=True).own
    if own is None or len(own) != 1:
        raise _engine.Error(f"host: expected a problem with own_clients() == [k], the data of one client, found {own}")
    overrides = assignments(with_options({"rounds": rounds, "seed": seed}, options))
    before = {number: signals.getsignal(number) for number in (signals.SIGINT, signals.SIGTERM, signals.SIGHUP)}
    try:
        with running(problem):
            ended_by = _engine.host(config_of(problem, strategy), overrides, own[0], path_of("socket", socket), path_of("state", state), problem)
    finally:
        for number, handler in before.items():
            signals.signal(number, handler)
    if ended_by == signals.SIGINT:
        raise KeyboardInterrupt
