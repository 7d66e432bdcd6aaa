"""The party's side: a ClientApp that passes messages on to the clients' resident processes."""

from __future__ import annotations

from flwr.app import ArrayRecord, ConfigRecord, Context, Message, RecordDict  # type: ignore[import-not-found, unused-ignore]
from flwr.clientapp import ClientApp  # type: ignore[import-not-found, unused-ignore]

from paretofl.flower.records import packed, unpacked
from paretofl.resident_processes import ask_all

client_app = ClientApp()


@client_app.query("clients")
def clients(message: Message, context: Context) -> Message:
    """Tells which clients this party has."""
    return Message(RecordDict({"clients": ConfigRecord({"numbers": numbers(context)})}), reply_to=message)


@client_app.train("paretofl")
def train(message: Message, context: Context) -> Message:
    """Passes each request on to its client's process. A client that can't be reached has an error in place of a reply."""
    record = message.content["requests"]
    assert isinstance(record, ArrayRecord)
    own, requests = numbers(context), unpacked(record)
    replies, errors = ask_all(str(context.node_config["sockets"]), {client: requests[client] for client in requests if client in own})
    strangers = {client: f"can't be reached: this party has the clients {sorted(own)}, not {client}" for client in requests if client not in own}
    records = {"replies": packed(replies), "errors": ConfigRecord({str(client): reason for client, reason in {**errors, **strangers}.items()})}
    return Message(RecordDict(records), reply_to=message)


def numbers(context: Context) -> list[int]:
    """The clients that the node's configuration names: "0,4,8", or one number."""
    return [int(number) for number in str(context.node_config["clients"]).split(",")]
