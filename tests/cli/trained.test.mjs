// Encodings with trained weights, which come from .npy and .safetensors files: values that can be
// told in advance, the same bytes from both builds, and files that are refused.
import assert from "node:assert/strict";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { numpy, posenc, temporaryFolder, writeNpy } from "./command.mjs";

const folder = temporaryFolder();
const file = (name) => join(folder, name);

/** A .safetensors file of { name: { type, shape, data } }, data being a typed array. */
function writeSafetensors(name, tensors) {
  const header = {};
  const parts = [];
  let end = 0;
  for (const [tensor, { type = "F32", shape, data }] of Object.entries(tensors)) {
    const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    header[tensor] = { dtype: type, shape, data_offsets: [end, end + bytes.length] };
    parts.push(bytes);
    end += bytes.length;
  }
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  writeFileSync(file(name), Buffer.concat([length, text, ...parts]));
}

const floats = (...values) => Float32Array.from(values);
const rows = Float32Array.from({ length: 8 }, (_, i) => i);

writeSafetensors("model.safetensors", {
  "decoder.embed_positions.weight": { shape: [4, 2], data: rows },
  "decoder.fc.weight": { shape: [1, 1], data: floats(9) },
  half: { type: "F16", shape: [2, 1], data: Uint16Array.of(0x3c00, 0xc100) },
  brain: { type: "BF16", shape: [2, 1], data: Uint16Array.of(0x3f80, 0xbf80) },
  "ids.weight": { type: "I64", shape: [1, 1], data: BigInt64Array.of(5n) },
});
writeSafetensors("two.safetensors", {
  "encoder.pos_embed": { shape: [2, 1], data: floats(1, 2) },
  "decoder.pos_embed": { shape: [2, 1], data: floats(3, 4) },
});
writeSafetensors("vit.safetensors", {
  "vit.embeddings.position_embeddings": { shape: [1, 5, 1], data: floats(9, 0, 1, 2, 3) },
});
writeFileSync(file("damaged.safetensors"), Buffer.from([255, 0, 0, 0, 0, 0, 0, 0, 123, 125]));
writeNpy(file("line.npy"), [3, 1], floats(0, 1, 2));
writeNpy(file("table.npy"), [4, 2], rows);
writeNpy(file("flat.npy"), [3], floats(1, 2, 3));
writeNpy(file("window.npy"), [3, 1], floats(10, 20, 30));
writeNpy(file("one.npy"), [1, 1], floats(2));
writeNpy(file("zeros2.npy"), [1, 2], floats(0, 0));
writeNpy(
  file("tens.npy"),
  [9, 1],
  Float32Array.from({ length: 9 }, (_, i) => 10 * i),
);
writeNpy(file("ones.npy"), [9, 1], new Float32Array(9).fill(1));
writeNpy(file("none.npy"), [9, 1], new Float32Array(9));
writeNpy(file("q.npy"), [1, 2, 2], floats(1, 0, 0, 1));
writeNpy(file("k.npy"), [1, 3, 2], floats(1, 2, 3, 4, 5, 6));
writeNpy(file("k3.npy"), [1, 3, 3], new Float32Array(9));
writeNpy(file("shaw.npy"), [3, 2], floats(1, 10, 2, 20, 3, 30));
writeNpy(file("even.npy"), [4, 2], rows);
writeNpy(file("cells.npy"), [1, 2, 1], floats(1, 2));
writeNpy(file("gates.npy"), [1, 3], new Float32Array(3));
writeNpy(file("zero12.npy"), [1, 2], floats(0, 0));
writeNpy(file("identity.npy"), [2, 2], new Float32Array(4));
writeNpy(file("hidden.npy"), [1, 2, 2], new Float32Array(4));
writeNpy(file("bias.npy"), [1, 2, 2], floats(1, 2, 3, 4));
writeNpy(file("gate_weight.npy"), [8, 2], new Float32Array(16));
writeNpy(file("gate_bias.npy"), [8], new Float32Array(8));
writeNpy(file("gate_const.npy"), [1], floats(2));
writeNpy(file("rel.npy"), [4, 2], new Float32Array(8));
numpy("np.save(sys.argv[1], np.array([[0.1], [2.5]]))", file("double.npy"));

/** Command, and what it writes as csv. */
const values = {
  "table learned --table model.safetensors --length 2": "0,1\n2,3\n",
  "table learned --table model.safetensors:decoder.embed_positions.weight --row-offset 2 --length 2":
    "4,5\n6,7\n",
  "table learned --table model.safetensors:half --length 2": "1\n-2.5\n",
  "table learned --table model.safetensors:brain --length 2 --scale 2": "2\n-2\n",
  "table learned --table double.npy --length 2": "0.1\n2.5\n",
  "table learned --table vit.safetensors --length 2": "9\n0\n",
  // Row p is row[p % 3] + a * (row[p / 3] - row[0]), a = 0.5 / 0.5.
  "table hierarchical --table line.npy --alpha 0.5 --length 9": "0\n1\n2\n1\n2\n3\n2\n3\n4\n",
  "table interpolate --table line.npy --to-height 5 --mode linear --align-corners":
    "0\n0.5\n1\n1.5\n2\n",
  "table interpolate --table vit.safetensors --to-height 2 --to-width 3 --prefix-rows 1 --mode linear --align-corners":
    "9\n0\n0.5\n1\n2\n2.5\n3\n",
  "table interpolate --table line.npy --to-height 2 --prefix-rows 1 --suffix-rows 1":
    "0\n1\n1\n2\n",
  // x 10 (x0 + x1) + y 1 + 1 + height and width 0.
  "table layout_boxes --x tens.npy --y ones.npy --box-height none.npy --box-width none.npy --boxes 1,2,3,4 --boxes 0,0,8,8":
    "42\n82\n",
  // query - key is 0, -1; 1, 0.
  "bias swin --table window.npy --height 1 --width 2": "20,10\n30,20\n",
  // 16 sigmoid(0).
  "bias swin_cpb --weight zeros2.npy --height 1 --width 2": "8,8\n8,8\n",
  "bias fire --weight one.npy --c 1 --eps 0 --queries 2 --keys 2": "0,-inf\n2,0\n",
  "bias dynamic_position_bias --weight one.npy --queries 2 --keys 2": "0,-2\n2,0\n",
  "bias t5 --table table.npy --causal --max-distance 8 --queries 1 --keys 3": "4,2,0\n5,3,1\n",
  // Queries at 1 and 2: distances clipped to -1, 0, 1 read rows 0, 1, 2.
  "scores shaw --q q.npy --keys 3 --table shaw.npy --scale 1": "1,2,3\n10,10,20\n",
  "scores cope --q q.npy --k k.npy --table zeros2.npy --form symmetric": "0,0,0\n0,0,0\n",
  "scores decomposed --q cells.npy --table-h one.npy --table-w window.npy --query-height 1 --query-width 2":
    "22,12\n64,44\n",
  "scores gated_position_bias --hidden hidden.npy --position-bias bias.npy --gate-weight gate_weight.npy --gate-bias gate_bias.npy --gate-const gate_const.npy":
    "2,4\n6,8\n",
  "scores deberta --q q.npy --k k.npy --table rel.npy --max-relative-positions 2": "0,0,0\n0,0,0\n",
  "scores transformer_xl --q q.npy --k k.npy --content-bias zero12.npy --position-bias zero12.npy --projection identity.npy":
    "0,0,0\n0,0,0\n",
};

/** The words of a command, files in the folder of these tests. */
function words(command) {
  const isFile = /^[^-].*\.(npy|safetensors)(:.*)?$/;
  return command.split(" ").map((word) => (isFile.test(word) ? file(word) : word));
}

for (const [command, csv] of Object.entries(values)) {
  test(command, () => {
    const native = posenc("native", words(command));
    assert.equal(native.stderr, "");
    assert.equal(String(native.stdout), csv);
    const npx = posenc("npx", words(command));
    assert.equal(npx.stderr, "");
    assert.equal(String(npx.stdout), csv);
  });
}

test("gates decay, and pope's scores are positive: equal bytes from both builds", () => {
  for (const command of [
    "scores forgetting_bias --gates gates.npy --format npy",
    "scores pope --q q.npy --k k.npy --format npy",
    "scores cope --q q.npy --k k.npy --table table.npy --format npy",
  ]) {
    const native = posenc("native", words(command));
    assert.equal(native.stderr, "");
    assert.ok(posenc("npx", words(command)).stdout.equals(native.stdout));
  }
  const [line] = String(posenc("native", words("scores forgetting_bias --gates gates.npy")).stdout)
    .split("\n")
    .slice(2);
  const half = Math.fround(Math.log(0.5));
  assert.deepEqual(
    line.split(",").map((text) => Math.fround(Number(text))),
    [Math.fround(2 * Math.log(0.5)), half, 0],
  );
});

describe("what is refused", () => {
  const cases = [
    ["table learned --table two.safetensors --length 1", 1, /two\.safetensors: table: 2 fit, say/],
    ["table learned --table model.safetensors:none --length 1", 1, /has no tensor named 'none'$/],
    ["table learned --table model.safetensors:ids.weight --length 1", 1, /type must be float32/],
    ["table learned --table damaged.safetensors --length 1", 1, /: safetensors: header must be/],
    ["table learned --table missing.safetensors --length 1", 1, /: No such file or directory$/],
    ["table learned --table . --length 1", 1, /^\.: Is a directory$/],
    ["table learned --table model.safetensors --length 9", 2, /^learned: position/],
    ["table learned --table flat.npy --length 1", 1, /must have the shape \[rows, dim\], has 1/],
    ["table interpolate --table table.npy --to-height 2 --to-width 2 --prefix-rows 1", 2, /square/],
    ["table hierarchical --table table.npy --alpha 1 --length 1", 2, /^hierarchical: alpha/],
    ["bias swin --table window.npy --height 2 --width 2", 2, /^swin: table/],
    ["bias fire --weight one.npy --queries 1 --keys 1", 2, /^--c is required$/],
    ["scores shaw --q q.npy --keys 3 --table even.npy", 2, /^--table must have .* odd .* got 4$/],
    ["scores cope --q q.npy --k k3.npy --table table.npy", 2, /^--k must have the heads and/],
    ["scores", 2, /^one of these commands is required: shaw, .*gated_position_bias$/],
  ];
  for (const [command, status, message] of cases) {
    test(command, () => {
      const out = file("refused.npy");
      const flags = command === "scores" ? [] : ["--out", out];
      const native = posenc("native", [...words(command), ...flags]);
      assert.match(native.stderr, /^posenc: .*\n$/);
      assert.match(native.stderr.slice("posenc: ".length).trimEnd(), message);
      assert.equal(native.status, status);
      const npx = posenc("npx", [...words(command), ...flags]);
      assert.equal(npx.stderr, native.stderr);
      assert.equal(npx.status, status);
    });
  }
  test("nothing is left behind", () => {
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.startsWith("refused")),
      [],
    );
  });
});
