"""The party's side: a ClientApp that passes messages on to the clients' resident processes."""

from __future__ import annotations

import socket
import struct
import time

from flwr.app import ArrayRecord, ConfigRecord, Context, Message, RecordDict  # type: ignore[import-not-found, unused-ignore]
from flwr.clientapp import ClientApp  # type: ignore[import-not-found, unused-ignore]

from paretofl.flower.records import packed, unpacked

client_app = ClientApp()
PATIENCE = 10.0  # seconds for which a resident process may be gone
LOST = 100  # connections that end before the reply: after so many, the request itself may be what ends the process


@client_app.query("clients")
def clients(message: Message, context: Context) -> Message:
    """Tells which clients this party has."""
    return Message(RecordDict({"clients": ConfigRecord({"numbers": numbers(context)})}), reply_to=message)


@client_app.train("paretofl")
def train(message: Message, context: Context) -> Message:
    """Passes each request on to its client's process. A client that can't be reached has an error in place of a reply."""
    record = message.content["requests"]
    assert isinstance(record, ArrayRecord)
    own, replies, errors = set(numbers(context)), {}, {}
    for client, request in unpacked(record).items():
        try:
            if client not in own:
                raise OSError(f"this party has the clients {sorted(own)}, not {client}")
            replies[client] = ask(str(context.node_config["sockets"]).replace("{client}", str(client)), request)
        except OSError as error:
            errors[str(client)] = f"can't be reached: {error}"
    return Message(RecordDict({"replies": packed(replies), "errors": ConfigRecord(errors)}), reply_to=message)


def numbers(context: Context) -> list[int]:
    """The clients that the node's configuration names: "0,4,8", or one number."""
    return [int(number) for number in str(context.node_config["clients"]).split(",")]


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
