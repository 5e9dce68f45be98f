"""A Python subject of the benchmark: the commands of worker/main.cpp, and the data of data.mjs."""

import json
import sys
import time

import numpy as np

SAMPLE = 1 << 16


def data(shape, seed=1):
    """The tensor of that seed: the rule of `element` in bench/data.hpp."""
    index = np.arange(int(np.prod(shape)), dtype=np.uint32)
    with np.errstate(over="ignore"):
        bits = index * np.uint32(0x9E3779B1) + np.uint32(seed) * np.uint32(0x7F4A7C15)
        bits = (bits ^ (bits >> np.uint32(16))) * np.uint32(0x85EBCA6B)
        bits = (bits ^ (bits >> np.uint32(13))) * np.uint32(0xC2B2AE35)
    bits ^= bits >> np.uint32(16)
    values = (bits >> np.uint32(8)).astype(np.float64) * 2.0**-23 - 1
    return values.astype(np.float32).reshape(shape)


def frequencies(pairs):
    return 10000.0 ** (-np.arange(pairs) / pairs)


def turns(first, length, pairs):
    """Tables [length, pairs] of cosines and sines."""
    angles = np.arange(first, first + length)[:, None] * frequencies(pairs)
    return np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)


def slopes(heads):
    return (2.0 ** (-8.0 * np.arange(1, heads + 1) / heads)).astype(np.float32)


def distances(length):
    """key - query, [length, length]."""
    positions = np.arange(length)
    return positions[None, :] - positions[:, None]


def buckets(length):
    """T5's buckets: bidirectional, 32 buckets, up to 128."""
    distance = distances(length)
    size = np.abs(distance)
    far = 8 + np.floor(np.log(np.maximum(size, 1) / 8) / np.log(16) * 8 + 1e-9)
    inside = np.where(size < 8, size, np.minimum(far, 15))
    return (np.where(distance > 0, 16, 0) + inside).astype(np.int64)


def bias(terms, heads, length):
    """[heads, length, length] of alibi or t5."""
    if terms == "alibi":
        return slopes(heads)[:, None, None] * -np.abs(distances(length)).astype(np.float32)
    return np.ascontiguousarray(data((32, heads))[buckets(length)].transpose(2, 0, 1))


def cubic_weights(old, new):
    """[new, old] of PyTorch's bicubic kernel, a = -0.75."""
    weights = np.zeros((new, old), dtype=np.float32)
    for row in range(new):
        center = (row + 0.5) * old / new - 0.5
        first = int(np.floor(center)) - 1
        for index in range(first, first + 4):
            t = abs(center - index)
            near = (1.25 * t - 2.25) * t * t + 1
            far = ((-0.75 * t + 3.75) * t - 6) * t + 3
            weights[row, min(max(index, 0), old - 1)] += near if t <= 1 else far
    return weights


def words(pairs):
    split = (pair.split("=") for pair in pairs)
    return {name: int(value) if value.isdigit() else value for name, value in split}


class Workload:
    """`run()` repeats the work, `results()` gives arrays, `reset()` brings back the inputs."""

    def __init__(self, run, results, reset=lambda: None, note=None):
        self.run, self.results, self.reset, self.note = run, results, reset, note


def write_sample(workload, path):
    workload.reset()
    workload.run()
    tensors = (np.asarray(tensor).reshape(-1) for tensor in workload.results())
    parts = [tensor[:: tensor.size // SAMPLE | 1].astype(np.float32) for tensor in tensors]
    np.concatenate(parts).tofile(path)


def timed(workload, count):
    run = workload.run
    begin = time.perf_counter()
    for _ in range(count):
        run()
    return time.perf_counter() - begin


def answer(makers, slots, line):
    command, *rest = line.split()
    if command == "clear":
        slots.clear()
        return "done"
    slot, *rest = rest
    if command == "prepare":
        kind, *pairs = rest
        workload = makers[kind](**words(pairs)) if kind in makers else None
        if workload is None:
            return "skip does not do this"
        workload.reset()
        slots[slot] = workload
        return "ready " + json.dumps({"note": workload.note})
    if command == "result":
        write_sample(slots[slot], rest[0])
        return "done"
    return f"time {timed(slots[slot], int(rest[0])):.9g}"


def serve(versions, makers):
    print("hello", json.dumps(versions), flush=True)
    slots = {}
    for line in sys.stdin:
        try:
            print(answer(makers, slots, line), flush=True)
        except Exception as error:  # whatever it is, the driver names it and goes on
            print("error", repr(error).replace("\n", " "), flush=True)
