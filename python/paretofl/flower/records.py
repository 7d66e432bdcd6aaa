"""Bytes in Flower's records."""

from __future__ import annotations

import numpy as np
from flwr.app import Array, ArrayRecord  # type: ignore[import-not-found, unused-ignore]


def packed(messages: dict[int, bytes]) -> ArrayRecord:
    """One array of bytes per client, under the client's number."""
    return ArrayRecord({str(client): Array(np.frombuffer(data, dtype=np.uint8)) for client, data in messages.items()})


def unpacked(record: ArrayRecord) -> dict[int, bytes]:
    return {int(client): array.numpy().tobytes() for client, array in record.items()}
