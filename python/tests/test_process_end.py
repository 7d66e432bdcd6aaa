"""A program that ends while the engine works in one of its threads."""

import os
import subprocess
import sys
import textwrap
import threading

import pytest

import paretofl

# The main thread ends once the run's thread has finished two rounds; that thread would go on for days.
PROGRAM = textwrap.dedent("""
    import sys, threading
    sys.path.insert(0, sys.argv[1])
    from conftest import TwoTargets
    import paretofl

    going_on = threading.Event()

    def after_round(*row):
        if row[-1]["round"] == 2:
            going_on.set()

    def train():
        {call}

    threading.Thread(target=train, daemon=True).start()
    going_on.wait()
""")
RUN = 'paretofl.run(TwoTargets(), strategy="fedavg", rounds=10**7, threads=2, directory=sys.argv[2], callbacks=after_round)'
SWEEP = RUN.replace("paretofl.run", "paretofl.sweep").replace("directory", "seeds=[1, 2], jobs=2, directory")


@pytest.mark.parametrize("call, run", [(RUN, "run"), (SWEEP, "run/seed=*")], ids=["run", "sweep"])
def test_a_program_that_ends_waits_for_the_round_of_a_daemon_thread(tmp_path, call, run):
    from conftest import TwoTargets

    ended = subprocess.run([sys.executable, "-c", PROGRAM.format(call=call), os.path.dirname(__file__), str(tmp_path / "run")],
                           capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    assert "waiting for the end of its round" in ended.stderr
    found = [paretofl.Run(folder, TwoTargets()) for folder in tmp_path.glob(run) if (folder / "checkpoints").is_dir()]
    found = max(found, key=lambda one: one.metrics[-1]["round"])  # of two runs side by side, one may be behind
    rounds = found.metrics[-1]["round"]
    assert rounds >= 2
    resumed = paretofl.run(TwoTargets(), resume=found.directory, rounds=rounds + 1)
    seed = int(found.directory.name.partition("seed=")[2] or 1)
    whole = paretofl.run(TwoTargets(), strategy="fedavg", rounds=rounds + 1, seed=seed, directory=tmp_path / "whole")
    assert resumed.summary["parameters_sha256"] == whole.summary["parameters_sha256"]


def test_a_party_is_hosted_in_the_main_thread(tmp_path):
    refused = []

    def host():
        from conftest import TwoTargets

        try:
            paretofl.host(TwoTargets(), strategy="fedavg", socket=tmp_path / "socket", state=tmp_path / "state")
        except paretofl.Error as error:
            refused.append(str(error))

    thread = threading.Thread(target=host)
    thread.start()
    thread.join()
    assert refused == ["host: expected a call in the main thread, which signals end, found one in another"]


# A thread that C has started, as the engine's are, and that Python's module threading has heard of.
FORKS = textwrap.dedent("""
    import ctypes, multiprocessing, threading
    import paretofl.process_end

    def fork(_):
        assert isinstance(threading.current_thread(), threading._DummyThread)
        process = multiprocessing.get_context("fork").Process(target=print, args=("in the child",), kwargs={"flush": True})
        process.start()
        process.join()
        print("exit code", process.exitcode)

    function, thread, c = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)(fork), ctypes.c_ulong(), ctypes.CDLL(None)
    c.pthread_create(ctypes.byref(thread), None, function, None)
    c.pthread_join(thread, None)
""")


def test_a_process_that_is_forked_on_a_thread_of_the_engines_ends_well():
    ended = subprocess.run([sys.executable, "-c", FORKS], capture_output=True, text=True)
    assert ended.stdout == "in the child\nexit code 0\n", ended.stderr
