"""How the engine's server reaches the parties: by Flower's Grid."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from typing import Any

from flwr.app import ConfigRecord, Message, RecordDict  # type: ignore[import-not-found, unused-ignore]
from flwr.serverapp import Grid  # type: ignore[import-not-found, unused-ignore]

from paretofl import _engine
from paretofl.flower.records import packed, unpacked


def warn(text: str) -> None:
    print(f"warning: flower: {text}", file=sys.stderr, flush=True)


def claimed_clients(reply: Message) -> list[int]:
    """The numbers of the clients that a node says it has; none, with a warning, if that cannot be read."""
    try:
        record = reply.content["clients"]
        assert isinstance(record, ConfigRecord)
        return [int(client) for client in record["numbers"]]  # type: ignore[union-attr]
    except (AssertionError, KeyError, TypeError, ValueError):
        warn(f"expected the clients' numbers from node {reply.metadata.src_node_id}, found a message that does not have them")
        return []


def answers(reply: Message, clients: list[int]) -> dict[int, bytes | str]:
    """Each client's reply, or why there is none. A message that cannot be read is a failure of the clients that it is of, and no other's."""
    try:
        replies, errors = unpacked(reply.content["replies"]), reply.content["errors"]  # type: ignore[arg-type]
        return {client: replies[client] if client in replies else str(errors.get(str(client), "the party sent no reply"))  # type: ignore[union-attr]
                for client in clients}
    except Exception as error:  # whatever a party sends
        return dict.fromkeys(clients, f"the party sent a message that cannot be read ({type(error).__name__})")


class GridCarrier:
    """Carries the requests of an exchange to the nodes whose parties have the clients, one message per node, and yields the replies as they
    come. Which clients a node has is asked once, and again when a client's node is gone."""

    POLL = 0.05  # seconds between two looks for replies
    QUESTION = 60.0  # seconds that an exchange waits at most for new nodes to tell their clients

    def __init__(self, grid: Grid, num_clients: int, wait: float):
        """num_clients: of the problem. wait: seconds for which the parties may take to join."""
        self.grid, self.num_clients, self.wait = grid, num_clients, wait
        self.nodes: dict[int, int] = {}  # by client
        self.known: set[int] = set()  # nodes that have been asked
        self.exchanges = 0

    def join(self, *, all_of_them: bool) -> None:
        """Waits until every client's party is there, but not longer than `wait`. Error if one is missing then, or without `all_of_them` if
        nobody is there."""
        end = time.monotonic() + self.wait
        while len(self.nodes) < self.num_clients:
            self.look_for_parties(end)
            if len(self.nodes) < self.num_clients and time.monotonic() > end:
                if self.nodes and not all_of_them:
                    return
                missing = [client for client in range(self.num_clients) if client not in self.nodes]
                raise _engine.Error(f"flower: expected a party for each of {self.num_clients} clients within {self.wait:g} s, found none for "
                                    f"{missing[:10]}")

    def look_for_parties(self, end: float) -> None:
        """Asks those nodes that have not been asked for their clients, and forgets those that are gone."""
        online = set(self.grid.get_node_ids())
        self.nodes = {client: node for client, node in self.nodes.items() if node in online}
        self.known &= online
        new = sorted(online - self.known)
        if not new:
            time.sleep(self.POLL)
            return
        questions = [Message(RecordDict(), dst_node_id=node, message_type="query.clients") for node in new]
        for reply in self.replies(questions, end):
            if reply.has_error():
                continue
            node = reply.metadata.src_node_id
            self.known.add(node)
            for client in claimed_clients(reply):
                if self.nodes.setdefault(client, node) == node:
                    continue
                if self.exchanges == 0:
                    raise _engine.Error(f"flower: expected one party with client {client}, found two")
                warn(f"expected one party with client {client}, found another one, node {node}, which is not asked")

    def __call__(self, requests: list[tuple[int, bytes]], seconds: float) -> Iterator[tuple[int, bytes | str]]:
        """Yields (position, reply, or why there is none) of those that come within so many seconds; the engine counts the others as late."""
        self.exchanges += 1
        end = time.monotonic() + seconds
        if any(client not in self.nodes for client, _ in requests):
            self.look_for_parties(min(end, time.monotonic() + self.QUESTION))
        position = {client: i for i, (client, _) in enumerate(requests)}
        of_node: dict[int, dict[int, bytes]] = {}
        for client, request in requests:
            if client in self.nodes:
                of_node.setdefault(self.nodes[client], {})[client] = request
            else:
                yield position[client], "no party that is online has this client"
        messages = [Message(RecordDict({"requests": packed(own)}), dst_node_id=node, message_type="train.paretofl", group_id=str(self.exchanges))
                    for node, own in of_node.items()]
        waiting = dict(of_node)
        sent: dict[str, int] = {}
        for reply in self.replies(messages, end, sent):
            node = sent[reply.metadata.reply_to_message_id]
            own = waiting.pop(node)
            if reply.has_error():
                self.known.discard(node)
                for client in own:
                    self.nodes.pop(client, None)
                    yield position[client], f"Flower reports error {reply.error.code}: {reply.error.reason}"
                continue
            found = answers(reply, list(own))
            for client in own:
                yield position[client], found[client]

    def replies(self, messages: list[Message], end: float, sent: dict[str, int] | None = None) -> Iterator[Any]:
        """Pushes messages and yields the replies until all are there or the time has come. Fills `sent` with each message's node."""
        ids = list(self.grid.push_messages(messages))
        if sent is not None:
            sent.update({identifier: message.metadata.dst_node_id for identifier, message in zip(ids, messages)})
        waiting = set(ids)
        while waiting and time.monotonic() < end:
            for reply in self.grid.pull_messages(waiting):
                waiting.discard(reply.metadata.reply_to_message_id)
                yield reply
            if waiting:
                time.sleep(self.POLL)
