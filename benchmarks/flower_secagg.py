#!/usr/bin/env python3
"""What a secure sum of Flower's legacy SecAgg+ costs, beside benchmarks/secure_sum_benchmark: SecAggPlusWorkflow at the server and secaggplus_mod
at the clients, in one process, every message serialized and parsed as between machines. Prints CPU milliseconds of one client and of the server
and the bytes of one client. With --silent, a tenth of the clients falls silent when masked values are asked for.

Usage: build/flower/bin/python benchmarks/flower_secagg.py [--clients 100] [--size 1000000] [--silent] [--plain]
Needs Flower (`make flower`). --plain sends the updates as they are, by FedAvg's aggregate_fit.
"""

import argparse
import logging
import time
import uuid

import numpy as np
from flwr.app import Context, Error, Message, RecordDict
from flwr.client import NumPyClient
from flwr.client.mod import secaggplus_mod
from flwr.clientapp import ClientApp
from flwr.common import ConfigRecord, ndarrays_to_parameters, parameters_to_ndarrays
from flwr.common.serde import message_from_proto, message_to_proto
from flwr.compat.common.recorddict_compat import parameters_to_arrayrecord
from flwr.proto.message_pb2 import Message as ProtoMessage
from flwr.server import LegacyContext, ServerConfig, SimpleClientManager
from flwr.server.client_proxy import ClientProxy
from flwr.server.strategy import FedAvg
from flwr.server.workflow import DefaultWorkflow, SecAggPlusWorkflow
from flwr.server.workflow.constant import MAIN_CONFIGS_RECORD, MAIN_PARAMS_RECORD, Key
from flwr.supercore.task_identity import TaskIdentity


class Proxy(ClientProxy):
    """Names a client to the legacy strategy; messages go through the grid."""

    def __init__(self, node):
        super().__init__(str(node))
        self.node_id = node

    def get_properties(self, ins, timeout, group_id):
        raise NotImplementedError

    get_parameters = fit = evaluate = reconnect = get_properties


class Updating(NumPyClient):
    def __init__(self, update):
        self.update = update

    def fit(self, parameters, config):
        return [self.update], 1, {}


class MeasuringGrid:
    """Delivers messages as bytes to one client after another."""

    def __init__(self, clients, update, secure, silent):
        self.app = ClientApp(client_fn=lambda context: Updating(update).to_client(), mods=[secaggplus_mod] if secure else [])
        self.contexts = {node: Context(run_id=1, node_id=node, node_config={}, state=RecordDict(), run_config={}) for node in clients}
        self.silent = {node for i, node in enumerate(clients) if silent and i % 10 == 3}
        self.client_seconds, self.up, self.down = 0.0, 0, 0

    def send_and_receive(self, messages, *, timeout=None):
        return [self.delivered(message) for message in messages]

    def delivered(self, message):
        node = message.metadata.dst_node_id
        stages = [record.get("stage") for record in message.content.config_records.values()]
        for name, value in (("_run_id", 1), ("_src_node_id", 0), ("_message_id", uuid.uuid4().hex)):
            message.metadata.__dict__[name] = value
        request = message_to_proto(message).SerializeToString()
        self.down += len(request)
        start = time.process_time()
        parsed = message_from_proto(ProtoMessage.FromString(request))
        reply = self.app(parsed, self.contexts[node])
        answer = message_to_proto(reply).SerializeToString()
        self.client_seconds += time.process_time() - start
        if node in self.silent and "collect_masked_vectors" in stages:
            gone = Message(Error(code=1, reason="gone"), reply_to=message)
            gone.metadata.__dict__["_src_node_id"] = node
            return gone
        self.up += len(answer)
        received = message_from_proto(ProtoMessage.FromString(answer))
        received.metadata.__dict__["_src_node_id"] = node
        return received


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clients", type=int, default=100)
    parser.add_argument("--size", type=int, default=1_000_000)
    parser.add_argument("--silent", action="store_true")
    parser.add_argument("--plain", action="store_true")
    arguments = parser.parse_args()
    TaskIdentity.run_id, TaskIdentity.node_id, TaskIdentity.task_id = 1, 0, 0  # what a process of a deployment is told at its start
    logging.getLogger("flwr").setLevel(logging.ERROR)
    update = np.random.default_rng(1).uniform(size=arguments.size).astype(np.float32)
    nodes = list(range(1, arguments.clients + 1))
    grid = MeasuringGrid(nodes, update, not arguments.plain, arguments.silent)
    means = []

    class Kept(FedAvg):
        def aggregate_fit(self, server_round, results, failures):
            mean, metrics = super().aggregate_fit(server_round, results, failures)
            means.append(parameters_to_ndarrays(mean)[0])
            return mean, metrics

    strategy = Kept(fraction_fit=1.0, min_fit_clients=2, min_available_clients=2, initial_parameters=ndarrays_to_parameters([np.zeros(1, np.float32)]))
    manager = SimpleClientManager()
    for node in nodes:
        manager.register(Proxy(node))
    context = LegacyContext(Context(run_id=1, node_id=0, node_config={}, state=RecordDict(), run_config={}), ServerConfig(num_rounds=1), strategy, manager)
    context.state.config_records[MAIN_CONFIGS_RECORD] = ConfigRecord({Key.CURRENT_ROUND: 1})
    context.state.array_records[MAIN_PARAMS_RECORD] = parameters_to_arrayrecord(strategy.initial_parameters, keep_input=True)
    workflow = DefaultWorkflow().fit_workflow if arguments.plain else SecAggPlusWorkflow(num_shares=1.0, reconstruction_threshold=0.67)
    start = time.process_time()
    workflow(grid, context)
    server = time.process_time() - start - grid.client_seconds
    if not means:
        raise SystemExit("flower_secagg: expected a sum, found that the workflow was halted")
    worst = float(np.abs(means[-1] - update).max())
    print(f"clients {arguments.clients}, d {arguments.size}, {'plain' if arguments.plain else 'secure'}, {len(grid.silent)} silent: client "
          f"{1e3 * grid.client_seconds / arguments.clients:.1f} ms, server {1e3 * server:.0f} ms, up {grid.up / arguments.clients / 1e6:.2f} MB, down "
          f"{grid.down / arguments.clients / 1e6:.3f} MB, largest error {worst:.2e}")


if __name__ == "__main__":
    main()
