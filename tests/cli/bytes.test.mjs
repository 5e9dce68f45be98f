// Every command gives the same bytes from both builds, in every format, and NumPy reads them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { numpy, posenc, temporaryFolder, writeNpy } from "./command.mjs";

const folder = temporaryFolder();
const rows = join(folder, "rows.npy");
const t5 = join(folder, "t5.npy");
writeNpy(
  rows,
  [20, 3],
  Array.from({ length: 60 }, (_, i) => Math.sin(i)),
);
writeNpy(
  t5,
  [16, 2],
  Array.from({ length: 32 }, (_, i) => (i === 5 ? -0 : Math.cos(i) / 3)),
);

const commands = {
  "table sinusoidal --dim 64 --length 50": [50, 64],
  "table sinusoidal --dim 512 --length 700 --offset 131000": [700, 512],
  "table sinusoidal --dim 7 --positions 0,5,7.5,-3,1e6 --base 500 --layout half": [5, 7],
  "table sinusoidal --dim 9 --length 3 --layout half --odd-width zero --frequency-denominator 6": [
    3, 9,
  ],
  "table sinusoidal --dim 8 --length 0": [0, 8],
  [`table learned --table ${rows} --length 20`]: [20, 3],
  [`table learned --table ${rows} --positions 4,0,17 --row-offset 2`]: [3, 3],
  "table rope --head-dim 128 --length 40 --offset 1000 --base 500000": [2, 40, 64],
  "table rope --head-dim 64 --rotary-dim 20 --length 9 --part cos": [9, 10],
  "table rope --head-dim 8 --positions 3,1,4 --part sin --scaling linear --factor 4": [3, 4],
  // Blocks of rows that end within the cosines and within the sines.
  "table rope --head-dim 1024 --length 700": [2, 700, 512],
  "table sincos_grid --dim 12 --axes 3 --height 5 --width 4 --depth 3 --prefix-rows 2": [62, 12],
  // A whole table of several blocks.
  "table sincos_grid --dim 768 --height 20 --width 19": [380, 768],
  "table detr_sine --height 5 --width 7 --num-pos-feats 8 --normalize": [16, 5, 7],
  "table multiscale --dims 4,6 --positions 0,0.5,-1 --positions 7,8,9": [3, 10],
  "bias kerple --p 1,0.5 --a 0.1,3 --queries 9 --keys 11": [2, 9, 11],
  "bias alibi --heads 5 --keys 40 --form falcon_key": [5, 40],
  "bias alibi --heads 12 --queries 5 --keys 9": [12, 5, 9],
  "bias alibi --heads 6 --queries 9 --keys 5 --form symmetric --slopes paper": [6, 9, 5],
  "bias alibi --heads 3 --queries 4 --keys 4 --query-offset 7 --distances": [3, 7],
  "bias alibi --heads 20 --keys 6 --form key": [20, 6],
  "bias alibi --heads 8 --queries 300 --keys 400": [8, 300, 400],
  [`bias t5 --table ${t5} --bidirectional --num-buckets 16 --queries 40 --keys 60`]: [2, 40, 60],
  [`bias t5 --table ${t5} --causal --max-distance 64 --queries 1 --keys 90`]: [2, 1, 90],
  [`bias t5 --table ${t5} --causal --queries 3 --keys 3 --distances`]: [2, 5],
};

/** Prints shape and values of a file, and of what NumPy makes of the other formats' text. */
const compare = `
import json
a = np.load(sys.argv[1])
assert a.dtype == np.dtype('<f4') and a.flags.c_contiguous and a.ndim > 1
rows = a.reshape(-1, a.shape[-1]) if a.size else a
lines = open(sys.argv[2]).read().splitlines()
csv = np.array([[np.float32(x) for x in line.split(',')] for line in lines], np.float32)
def same(x, y): return x.size == y.size and x.tobytes() == y.tobytes()
assert same(csv, rows), 'csv'
j = json.load(open(sys.argv[3]))
assert tuple(j['shape']) == a.shape, 'json shape'
assert same(np.array([np.float32(x) for x in j['data']], np.float32), a), 'json'
print(json.dumps(a.shape))
`;

for (const [command, shape] of Object.entries(commands)) {
  describe(command.replaceAll(`${folder}/`, ""), () => {
    const args = command.split(" ");
    const files = Object.fromEntries(
      ["npy", "csv", "json"].map((format) => [format, join(folder, `out.${format}`)]),
    );
    test("native and npx give the same bytes, in a file and on standard output", () => {
      for (const [format, path] of Object.entries(files)) {
        for (const build of ["native", "npx"]) {
          const run = posenc(build, [...args, "--out", path]);
          assert.equal(run.stderr, "");
          assert.equal(run.status, 0);
        }
        const written = readFileSync(path);
        const native = posenc("native", [...args, "--format", format]).stdout;
        const npx = posenc("npx", [...args, "--format", format, "--out", "-"]).stdout;
        assert.ok(written.equals(native));
        assert.ok(written.equals(npx));
      }
    });
    test("NumPy loads the file; CSV and JSON hold the same values", () => {
      const loaded = numpy(compare, files.npy, files.csv, files.json);
      assert.deepEqual(JSON.parse(loaded), shape);
    });
  });
}

test("the .npy file is the one that NumPy would write", () => {
  const path = join(folder, "a.npy");
  posenc("native", ["table", "sinusoidal", "--dim", "6", "--length", "5", "--out", path]);
  const again = join(folder, "b.npy");
  numpy("np.save(sys.argv[2], np.load(sys.argv[1]))", path, again);
  assert.ok(readFileSync(path).equals(readFileSync(again)));
});

test("standard output is CSV when nothing is said", () => {
  const { stdout } = posenc("native", ["table", "sinusoidal", "--dim", "4", "--length", "2"]);
  assert.equal(String(stdout), "0,1,0,1\n0.84147096,0.5403023,0.009999833,0.99995\n");
});

test("--format is stronger than the extension", () => {
  const path = join(folder, "table.npy");
  const args = ["table", "sinusoidal", "--dim", "2", "--length", "1", "--format", "json"];
  posenc("native", [...args, "--out", path]);
  assert.equal(readFileSync(path, "utf8"), '{"shape":[1,2],"data":[0,1]}\n');
});

test("JSON has words for infinities and keeps the sign of zero", () => {
  const alibi = ["bias", "alibi", "--heads", "1", "--queries", "2", "--keys", "2"];
  const { stdout } = posenc("native", [...alibi, "--format", "json"]);
  assert.deepEqual(JSON.parse(String(stdout)).data, [0, "-inf", -0.00390625, 0]);
  writeNpy(rows, [1, 4], [-0, Infinity, NaN, 1e-7]);
  const learned = posenc("native", ["table", "learned", "--table", rows, "--length", "1"]);
  assert.equal(String(learned.stdout), "-0,inf,nan,1e-7\n");
  const json = ["table", "learned", "--table", rows, "--length", "1", "--format", "json"];
  const text = String(posenc("native", json).stdout);
  assert.equal(text, '{"shape":[1,4],"data":[-0.0,"inf","nan",1e-7]}\n');
});

test(".npy tables of versions 1, 2 and 3 are read", () => {
  for (const version of [1, 2, 3]) {
    const path = join(folder, `version${version}.npy`);
    writeNpy(path, [2, 2], [1, 2, 3, 4], { version });
    const { stdout } = posenc("native", ["table", "learned", "--table", path, "--length", "2"]);
    assert.equal(String(stdout), "1,2\n3,4\n");
  }
});
