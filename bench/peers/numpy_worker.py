"""NumPy, one thread, every result written to memory that is there."""

import numpy as np

from subject import Workload, bias, buckets, cubic_weights, data, distances, frequencies, serve
from subject import slopes, turns


def rope(layout, place, storage, heads, length, dim):
    kind = np.float16 if storage == "float16" else np.float32
    shape, half = (heads, length, dim), dim // 2
    cos, sin = (table.astype(kind) for table in turns(0, length, half))
    x, out = np.empty(shape, kind), np.empty(shape, kind)
    product = np.empty((heads, length, half), kind)
    pairs = (slice(0, half), slice(half, dim))
    if layout == "interleaved":
        pairs = (slice(0, dim, 2), slice(1, dim, 2))
    first, second = (..., pairs[0]), (..., pairs[1])

    def run():
        np.multiply(x[first], cos, out=out[first])
        np.multiply(x[second], sin, out=product)
        np.subtract(out[first], product, out=out[first])
        np.multiply(x[second], cos, out=out[second])
        np.multiply(x[first], sin, out=product)
        np.add(out[second], product, out=out[second])

    def reset():
        x[:] = data(shape)

    return Workload(run, lambda: [out], reset)


def decode(table, heads, dim, position):
    half = dim // 2
    x, out = data((heads, dim)), np.empty((heads, dim), np.float32)
    inverse = frequencies(half)
    ready = [row[0] for row in turns(position, 1, half)]

    def run():
        if table == "ready":
            cos, sin = ready
        else:
            angles = position * inverse
            cos, sin = np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)
        a, b = x[:, :half], x[:, half:]
        np.subtract(a * cos, b * sin, out=out[:, :half])
        np.add(b * cos, a * sin, out=out[:, half:])

    return Workload(run, lambda: [out])


def angles(rule, length, pairs):
    kind = np.float64 if rule == "exact" else np.float32
    positions = np.arange(length, dtype=kind)[:, None]
    inverse = frequencies(pairs).astype(kind)
    turn = np.empty((length, pairs), kind)
    cos, sin = (np.empty((length, pairs), np.float32) for _ in range(2))

    def run():
        np.multiply(positions, inverse, out=turn)
        np.cos(turn, out=cos, casting="same_kind")
        np.sin(turn, out=sin, casting="same_kind")

    return Workload(run, lambda: [cos, sin])


def sinusoidal(layout, length, dim):
    positions = np.arange(length, dtype=np.float32)[:, None]
    inverse = frequencies(dim // 2).astype(np.float32)
    turn, out = np.empty((length, dim // 2), np.float32), np.empty((length, dim), np.float32)
    halves = (slice(0, dim // 2), slice(dim // 2, dim))
    if layout == "interleaved":
        halves = (slice(0, dim, 2), slice(1, dim, 2))

    def run():
        np.multiply(positions, inverse, out=turn)
        np.sin(turn, out=out[:, halves[0]])
        np.cos(turn, out=out[:, halves[1]])

    return Workload(run, lambda: [out])


def alibi(form, heads, length):
    if form != "written":
        return None
    matrix = -np.abs(distances(length)).astype(np.float32)
    factors, out = slopes(heads)[:, None, None], np.empty((heads, length, length), np.float32)
    return Workload(lambda: np.multiply(factors, matrix, out=out), lambda: [out])


def t5(form, heads, length):
    if form != "written":
        return None
    table, index = np.ascontiguousarray(data((32, heads)).T), buckets(length)
    out = np.empty((heads, length, length), np.float32)
    # mode="clip" writes to `out` at once; with the default NumPy works on a copy of it.
    return Workload(lambda: np.take(table, index, 1, out=out, mode="clip"), lambda: [out])


def learned(lookup, length, dim):
    rows, x = data((length, dim), 2), np.empty((length, dim), np.float32)
    taken, ids = np.empty((length, dim), np.float32), np.arange(length)

    def run():
        if lookup == "ids":
            np.take(rows, ids, 0, out=taken, mode="clip")
            np.add(x, taken, out=x)
        else:
            np.add(x, rows, out=x)

    def reset():
        x[:] = data((length, dim))

    return Workload(run, lambda: [x], reset)


def resize(**sizes):
    old, new, dim = sizes["from"], sizes["to"], sizes["dim"]
    weights, table = cubic_weights(old, new), data((old, old * dim))
    lines, out = np.empty((new, old * dim), np.float32), np.empty((new, new, dim), np.float32)

    def run():
        np.matmul(weights, table, out=lines)
        np.matmul(weights, lines.reshape(new, old, dim), out=out)

    return Workload(run, lambda: [out])


def scores_workload(heads, length, dim, write):
    q, k = data((heads, length, dim), 1), data((heads, length, dim), 2)
    out = np.empty((heads, length, length), np.float32)
    return Workload(lambda: write(q, k, out), lambda: [out])


def shaw(heads, length, dim, reach):
    keys = data((2 * reach + 1, dim), 3) * np.float32(dim**-0.5)
    index = np.clip(distances(length), -reach, reach) + reach
    rows = np.arange(length)[:, None]
    products = np.empty((heads, length, 2 * reach + 1), np.float32)

    def write(q, _, out):
        np.matmul(q, keys.T, out=products)
        for head in range(heads):
            out[head] = products[head][rows, index]

    return scores_workload(heads, length, dim, write)


def shifted(products, length, last):
    """products[..., i, last - i + j]: the rows of distances as a view."""
    *rest, row, column = products.strides
    part = products[..., last:]
    return np.lib.stride_tricks.as_strided(
        part, (*products.shape[:-1], length), (*rest, row - column, column), writeable=False
    )


def deberta(heads, length, dim):
    table = data((2 * length, heads, dim), 3) * np.float32((3 * dim) ** -0.5)
    # Rows by key - query, so that both terms are shifted views; distances 1 - length on.
    keys = np.ascontiguousarray(table[1:][::-1].transpose(1, 2, 0))
    queries = np.ascontiguousarray(table[1:].transpose(1, 2, 0))
    products = np.empty((heads, length, 2 * length - 1), np.float32)

    def write(q, k, out):
        np.matmul(q, keys, out=products)
        np.copyto(out, shifted(products, length, length - 1))
        np.matmul(k, queries, out=products)
        np.add(out, shifted(products, length, length - 1).transpose(0, 2, 1), out=out)

    return scores_workload(heads, length, dim, write)


def transformer_xl(heads, length, dim):
    r = data((heads, 2 * length - 1, dim), 3) * np.float32(dim**-0.5)
    u = data((heads, 1, dim), 4) * np.float32(dim**-0.5)
    v = data((heads, 1, dim), 5)
    rows = np.ascontiguousarray(r.transpose(0, 2, 1))
    products = np.empty((heads, length, 2 * length - 1), np.float32)

    def write(q, k, out):
        np.matmul(q + v, rows, out=products)
        np.add(shifted(products, length, length - 1), u @ k.transpose(0, 2, 1), out=out)

    return scores_workload(heads, length, dim, write)


def attention(terms, heads, length, dim):
    if terms not in ("none", "alibi", "t5", "causal"):
        return None
    q, k, v = (data((heads, length, dim), seed) for seed in (1, 2, 3))
    scores = np.empty((heads, length, length), np.float32)
    out = np.empty((heads, length, dim), np.float32)
    added = None
    if terms == "causal":
        added = np.where(distances(length) > 0, -np.inf, 0).astype(np.float32)
    elif terms != "none":
        added = bias(terms, heads, length)

    def run():
        np.matmul(q, k.transpose(0, 2, 1), out=scores)
        np.multiply(scores, np.float32(dim**-0.5), out=scores)
        if added is not None:
            np.add(scores, added, out=scores)
        np.subtract(scores, scores.max(-1, keepdims=True), out=scores)
        np.exp(scores, out=scores)
        np.divide(scores, scores.sum(-1, keepdims=True), out=scores)
        np.matmul(scores, v, out=out)

    return Workload(run, lambda: [out])


MAKERS = {
    "rope": rope,
    "decode": decode,
    "angles": angles,
    "sinusoidal": sinusoidal,
    "alibi": alibi,
    "t5": t5,
    "learned": learned,
    "resize": resize,
    "shaw": shaw,
    "deberta": deberta,
    "transformer_xl": transformer_xl,
    "attention": attention,
}

serve({"version": f"NumPy {np.__version__}"}, MAKERS)
