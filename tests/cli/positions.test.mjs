// posenc positions: values that published rules give, from both builds, and what is refused.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { numpy, posenc, temporaryFolder } from "./command.mjs";

const folder = temporaryFolder();
const mask = join(folder, "mask.npy");
numpy("np.save(sys.argv[1], np.array([[0, 1, 1], [1, 1, 1]]))", mask);

/** Command, and what it writes as csv. */
const values = {
  "left_padding --mask 0,0,1,1 --mask 1,1,1,1": "1,1,0,1\n0,1,2,3\n",
  "left_padding --mask 0,1 --masked-value 0": "0,0\n",
  "left_padding --mask MASK": "1,0,1\n0,1,2\n",
  "next --mask MASK": "2,3\n",
  "opt --mask 0,1,1": "1,2,3\n",
  "opt --mask 0,1,1 --past-length 2": "3\n",
  "roberta --ids 0,7,2,1,1": "2,3,4,1,1\n",
  "roberta --ids 7 --past-length 4": "6\n",
  "offset --offsets 10,0 --tokens 3": "10,11,12\n0,1,2\n",
  "packed --starts 0,2,5 --offsets 7,0": "7,8,0,1,2\n",
  "shard --length 7 --offset 100 --index 1 --count 3": "103\n104\n",
  "grid --height 2 --width 2": "0,0,1,1\n0,1,0,1\n",
  "grid --height 1 --width 2 --coordinates centres": "0,0\n-0.5,0.5\n",
  "window --height 1 --width 2": "1,0\n2,1\n",
  // Text, an image of 2 x 1 tokens, text.
  "mrope --ids 1,5,5,1 --image-token 5 --video-token 6 --image-grid 1,4,2":
    "0,1,1,3\n0,1,2,3\n0,1,1,3\n",
  "mrope --ids 1,5,5,1 --image-token 5 --video-token 6 --image-grid 1,4,2 --delta": "0\n",
};

/** Command: exit status and message. */
const refusals = [
  ["left_padding --mask 0,1 --mask 1", 2, /^--mask must have rows of equal length, got 2 and 1$/],
  ["left_padding --mask 0,x", 1, /0,x: No such file or directory$/],
  [
    "opt --mask 0,1 --past-length 3",
    2,
    /^--past-length must be at most the mask's 2 tokens, got 3$/,
  ],
  ["packed --starts 1,2", 2, /^packed_positions: starts/],
  ["shard --length 4 --index 2 --count 2", 2, /^--index must be less than --count = 2, got 2$/],
  ["grid --height 0 --width 2", 2, /height/],
  ["mrope --ids 1,5 --image-token 5 --video-token 6 --image-grid 1,2", 2, /^--image-grid must be/],
  ["mrope --ids 4294967296 --image-token 5 --video-token 6", 2, /^--ids must be at most/],
];

const run = (build, command, ...more) =>
  posenc(build, [
    "positions",
    ...command.split(" ").map((word) => (word === "MASK" ? mask : word)),
    ...more,
  ]);

for (const [command, csv] of Object.entries(values)) {
  test(command, () => {
    for (const build of ["native", "npx"]) {
      const { stdout, stderr } = run(build, command);
      assert.equal(stderr, "");
      assert.equal(String(stdout), csv);
    }
    assert.ok(
      run("native", command, "--format", "npy").stdout.equals(
        run("npx", command, "--format", "npy").stdout,
      ),
    );
  });
}

for (const [command, status, message] of refusals) {
  test(command, () => {
    const native = run("native", command);
    assert.match(native.stderr.slice("posenc: ".length).trimEnd(), message);
    assert.equal(native.status, status);
    const npx = run("npx", command);
    assert.equal(npx.stderr, native.stderr);
    assert.equal(npx.status, status);
  });
}

test("NumPy reads whole numbers as int64 and coordinates as float64", () => {
  const file = join(folder, "positions.npy");
  const dtype = (command) => {
    run("native", command, "--out", file);
    return numpy("a = np.load(sys.argv[1]); print(a.dtype, a.shape, a.max())", file).trim();
  };
  assert.equal(
    dtype("offset --offsets 1125899906842000 --tokens 2"),
    "int64 (1, 2) 1125899906842001",
  );
  assert.equal(dtype("grid --height 2 --width 3"), "float64 (2, 6) 2.0");
});

test("json holds whole numbers and fractions", () => {
  const { stdout } = run("native", "grid --height 1 --width 2 --offset 0.5", "--format", "json");
  assert.deepEqual(JSON.parse(stdout), { shape: [2, 2], data: [0.5, 0.5, 0.5, 1.5] });
});
