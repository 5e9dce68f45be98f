"""PyTorch, one thread, without gradients; results are written to memory that is there."""

import numpy as np
import torch
import torch.nn.functional as functional

from subject import Workload, bias, buckets, data, distances, frequencies, serve, slopes, turns

torch.set_num_threads(1)
torch.set_grad_enabled(False)


def tensor(shape, seed=1):
    return torch.from_numpy(data(shape, seed))


def rope(layout, place, storage, heads, length, dim):
    shape, half = (heads, length, dim), dim // 2
    kind = torch.float16 if storage == "float16" else torch.float32
    x, out = torch.empty(shape, dtype=kind), torch.empty(shape, dtype=kind)
    cos, sin = (torch.from_numpy(table).to(kind) for table in turns(0, length, half))
    product = torch.empty((heads, length, half), dtype=kind)

    def complex_multiply():
        torch.mul(turning, factor, out=turned)

    def by_halves():
        a, b = x[..., :half], x[..., half:]
        torch.mul(a, cos, out=out[..., :half])
        out[..., :half].addcmul_(b, sin, value=-1)
        torch.mul(b, cos, out=out[..., half:])
        out[..., half:].addcmul_(a, sin)

    def with_products():
        a, b = x[..., :half], x[..., half:]
        torch.mul(a, cos, out=out[..., :half])
        out[..., :half].sub_(torch.mul(b, sin, out=product))
        torch.mul(b, cos, out=out[..., half:])
        out[..., half:].add_(torch.mul(a, sin, out=product))

    run = by_halves if kind == torch.float32 else with_products
    if layout == "interleaved":
        if kind != torch.float32:
            return None
        turning = torch.view_as_complex(x.view(heads, length, half, 2))
        turned = torch.view_as_complex(out.view(heads, length, half, 2))
        factor, run = torch.complex(cos, sin), complex_multiply

    def reset():
        x.copy_(tensor(shape))

    note = "complex multiply" if layout == "interleaved" else "by halves"
    return Workload(run, lambda: [out.float()], reset, note)


def decode(table, heads, dim, position):
    if table != "ready":
        return None
    half = dim // 2
    x, out = tensor((heads, dim)), torch.empty((heads, dim))
    cos, sin = (torch.from_numpy(row) for row in turns(position, 1, half))

    def run():
        a, b = x[:, :half], x[:, half:]
        torch.mul(a, cos, out=out[:, :half])
        out[:, :half].addcmul_(b, sin, value=-1)
        torch.mul(b, cos, out=out[:, half:])
        out[:, half:].addcmul_(a, sin)

    return Workload(run, lambda: [out])


def angles(rule, length, pairs):
    kind = torch.float64 if rule == "exact" else torch.float32
    positions = torch.arange(length, dtype=kind)[:, None]
    inverse = torch.from_numpy(frequencies(pairs)).to(kind)
    turn = torch.empty((length, pairs), dtype=kind)
    cos, sin = (torch.empty((length, pairs), dtype=kind) for _ in range(2))

    def run():
        torch.mul(positions, inverse, out=turn)
        torch.cos(turn, out=cos)
        torch.sin(turn, out=sin)

    return Workload(run, lambda: [cos, sin])


def sinusoidal(layout, length, dim):
    positions = torch.arange(length, dtype=torch.float32)[:, None]
    inverse = torch.from_numpy(frequencies(dim // 2)).float()
    turn, out = torch.empty((length, dim // 2)), torch.empty((length, dim))
    first, second = out[:, : dim // 2], out[:, dim // 2 :]
    if layout == "interleaved":
        first, second = out[:, ::2], out[:, 1::2]

    def run():
        torch.mul(positions, inverse, out=turn)
        torch.sin(turn, out=first)
        torch.cos(turn, out=second)

    return Workload(run, lambda: [out])


def alibi(form, heads, length):
    if form != "written":
        return None
    matrix = torch.from_numpy(-np.abs(distances(length)).astype(np.float32))
    factors, out = torch.from_numpy(slopes(heads))[:, None, None], torch.empty(
        (heads, length, length)
    )
    return Workload(lambda: torch.mul(factors, matrix, out=out), lambda: [out])


def t5(form, heads, length):
    if form != "written":
        return None
    table = tensor((32, heads)).t().contiguous()
    index = torch.from_numpy(buckets(length)).view(-1)
    out = torch.empty((heads, length * length))
    return Workload(lambda: torch.index_select(table, 1, index, out=out), lambda: [out])


def learned(lookup, length, dim):
    rows, x = tensor((length, dim), 2), torch.empty((length, dim))
    taken, ids = torch.empty((length, dim)), torch.arange(length)

    def run():
        if lookup == "ids":
            x.add_(torch.index_select(rows, 0, ids, out=taken))
        else:
            x.add_(rows)

    def reset():
        x.copy_(tensor((length, dim)))

    return Workload(run, lambda: [x], reset)


def resize(**sizes):
    old, new, dim = sizes["from"], sizes["to"], sizes["dim"]
    image = tensor((1, old, old, dim)).permute(0, 3, 1, 2)
    state = {}

    def run():
        state["out"] = functional.interpolate(image, (new, new), mode="bicubic")

    return Workload(run, lambda: [state["out"].permute(0, 2, 3, 1).contiguous()])


def scores_workload(heads, length, dim, write):
    q, k = tensor((heads, length, dim), 1), tensor((heads, length, dim), 2)
    out = torch.empty((heads, length, length))
    return Workload(lambda: write(q, k, out), lambda: [out])


def shaw(heads, length, dim, reach):
    keys = tensor((2 * reach + 1, dim), 3) * dim**-0.5
    index = torch.from_numpy(np.clip(distances(length), -reach, reach) + reach)
    index = index.expand(heads, length, length)
    products = torch.empty((heads * length, 2 * reach + 1))

    def write(q, _, out):
        torch.mm(q.view(-1, dim), keys.t(), out=products)
        torch.gather(products.view(heads, length, -1), 2, index, out=out)

    return scores_workload(heads, length, dim, write)


def shifted(products, length, last):
    """products[..., i, last - i + j]: the rows of distances as a view."""
    heads, rows, width = products.shape
    return products.as_strided((heads, rows, length), (rows * width, width - 1, 1), last)


def debertas(heads, length, dim):
    """A function of q, k and out that writes DeBERTa v1's terms, its table not projected."""
    table = tensor((2 * length, heads, dim), 3) * (3 * dim) ** -0.5
    keys = table[1:].flip(0).permute(1, 2, 0).contiguous()
    queries = table[1:].permute(1, 2, 0).contiguous()
    products = torch.empty((heads, length, 2 * length - 1))

    def write(q, k, out):
        torch.bmm(q, keys, out=products)
        out.copy_(shifted(products, length, length - 1))
        torch.bmm(k, queries, out=products)
        out.add_(shifted(products, length, length - 1).transpose(1, 2))

    return write


def deberta(heads, length, dim):
    return scores_workload(heads, length, dim, debertas(heads, length, dim))


def transformer_xl(heads, length, dim):
    rows = (tensor((heads, 2 * length - 1, dim), 3) * dim**-0.5).transpose(1, 2).contiguous()
    u, v = tensor((heads, 1, dim), 4) * dim**-0.5, tensor((heads, 1, dim), 5)
    products = torch.empty((heads, length, 2 * length - 1))

    def write(q, k, out):
        torch.bmm(q + v, rows, out=products)
        content = torch.bmm(u, k.transpose(1, 2))
        torch.add(shifted(products, length, length - 1), content, out=out)

    return scores_workload(heads, length, dim, write)


def attention(terms, heads, length, dim):
    q, k, v = (tensor((heads, length, dim), seed) for seed in (1, 2, 3))
    scores, out = torch.empty((heads, length, length)), torch.empty((heads, length, dim))
    scale, added, relative, half = dim**-0.5, None, None, dim // 2
    cos, sin = (torch.from_numpy(table) for table in turns(0, length, half))
    if terms == "causal":
        mask = np.where(distances(length) > 0, -np.inf, 0)
        added = torch.from_numpy(mask.astype(np.float32))
    elif terms in ("alibi", "t5"):
        added = torch.from_numpy(bias(terms, heads, length))
    elif terms == "deberta":
        scale, relative = (3 * dim) ** -0.5, debertas(heads, length, dim)
        added = torch.empty((heads, length, length))

    def turned(x):
        a, b = x[..., :half], x[..., half:]
        return torch.cat((a * cos - b * sin, b * cos + a * sin), -1)

    def run():
        query, key = (turned(q), turned(k)) if terms == "rope" else (q, k)
        if relative is not None:
            relative(query, key, added)
        if added is None:
            torch.bmm(query, key.transpose(1, 2), out=scores)
            scores.mul_(scale)
        else:
            torch.baddbmm(added, query, key.transpose(1, 2), alpha=scale, out=scores)
        torch.softmax(scores, -1, out=scores)
        torch.bmm(scores, v, out=out)

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

serve({"version": f"PyTorch {torch.__version__}"}, MAKERS)
