"""Requests to the processes of a party's clients."""

import socket
import struct
import threading

import pytest

from paretofl import resident_processes


class Client(threading.Thread):
    """Answers one request with its own number and the request, after it has met the others at a barrier."""

    def __init__(self, path, number, barrier):
        super().__init__(daemon=True)
        self.number, self.barrier = number, barrier
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(path)
        self.listener.listen(1)
        self.start()

    def run(self):
        connection, _ = self.listener.accept()
        with connection, self.listener:
            (length,) = struct.unpack("<Q", resident_processes.received(connection, 8))
            request = resident_processes.received(connection, length)
            self.barrier.wait()
            reply = bytes([self.number]) + request
            connection.sendall(struct.pack("<Q", len(reply)) + reply)


def test_clients_are_asked_side_by_side(tmp_path):
    barrier = threading.Barrier(3, timeout=60)  # broken where one is asked after another
    for number in range(3):
        Client(str(tmp_path / f"s{number}"), number, barrier)
    replies, errors = resident_processes.ask_all(str(tmp_path / "s{client}"), {number: b"ask" for number in range(3)})
    assert errors == {}
    assert replies == {number: bytes([number]) + b"ask" for number in range(3)}


def test_a_client_that_cannot_be_reached_is_named_and_the_others_answer(tmp_path, monkeypatch):
    monkeypatch.setattr(resident_processes, "PATIENCE", 0.0)
    Client(str(tmp_path / "s1"), 1, threading.Barrier(1))
    replies, errors = resident_processes.ask_all(str(tmp_path / "s{client}"), {0: b"ask", 1: b"ask"})
    assert replies == {1: b"\x01ask"}
    assert list(errors) == [0] and errors[0].startswith("can't be reached: ")


def test_nobody_to_ask():
    assert resident_processes.ask_all("s{client}", {}) == ({}, {})


@pytest.mark.parametrize("sent", [b"", b"half"])
def test_a_connection_that_ends_early_is_an_error(sent):
    here, there = socket.socketpair()
    with here:
        there.sendall(sent)
        there.close()
        with pytest.raises(ConnectionError, match="the process ended before it had answered"):
            resident_processes.received(here, 8)
