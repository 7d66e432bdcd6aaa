"""Requests to the resident processes of a party's clients, each behind its Unix socket."""

from __future__ import annotations

import concurrent.futures
import socket
import struct
import time

PATIENCE = 10.0  # seconds for which a resident process may be gone
LOST = 100  # connections that end before the reply: after so many, the request itself may be what ends the process
SIDE_BY_SIDE = 64  # requests under way at a time


def ask_all(sockets: str, requests: dict[int, bytes]) -> tuple[dict[int, bytes], dict[int, str]]:
    """Asks each client's process side by side: the replies of those that answered, and why the others can't be reached.

    sockets: the path of a client's socket, with {client} in the place of its number.
    """
    replies, errors = {}, {}
    with concurrent.futures.ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
        asked = {client: pool.submit(ask, sockets.replace("{client}", str(client)), request) for client, request in requests.items()}
        for client, answer in asked.items():
            try:
                replies[client] = answer.result()
            except OSError as error:
                errors[client] = f"can't be reached: {error}"
    return replies, errors


def ask(path: str, request: bytes) -> bytes:
    """One request to a resident process and its reply, each behind its length. A process that is gone is tried again for a while: a
    request that it has answered is not applied twice. OSError if it stays away."""
    last_seen, pause, lost = time.monotonic(), 0.05, 0
    while True:
        try:
            with socket.socket(socket.AF_UNIX) as connection:
                connection.connect(path)
                last_seen = time.monotonic()
                lost += 1  # unless the reply comes
                connection.sendall(struct.pack("<Q", len(request)))
                connection.sendall(request)
                (length,) = struct.unpack("<Q", received(connection, 8))
                return received(connection, length)
        except OSError:
            if lost >= LOST or time.monotonic() - last_seen > PATIENCE:
                raise
            time.sleep(pause)
            pause = min(2 * pause, 1.0)


def received(connection: socket.socket, size: int) -> bytes:
    parts = []
    while size > 0:
        part = connection.recv(min(size, 1 << 20))
        if not part:
            raise ConnectionError("the process ended before it had answered")
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
