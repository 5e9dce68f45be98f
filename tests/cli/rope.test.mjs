// `posenc table rope` with every scaling: what the package gives, the same from both builds.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { load } from "posenc";
import { builds, posenc as run } from "./command.mjs";

const posenc = await load();
const four = [1, 1.5, 2, 4];

/** Flags after --scaling, and the config that they stand for. */
const cases = [
  ["none", "", {}],
  ["linear", "--factor 4", { factor: 4 }],
  ["static_ntk", "--factor 2.5", { factor: 2.5 }],
  [
    "dynamic_ntk",
    "--factor 4 --trained-length 16 --sequence-length 64",
    { factor: 4, maxPositionEmbeddings: 16 },
  ],
  [
    "yarn",
    "--factor 4 --trained-length 2048 --beta-fast 16 --beta-slow 2 --no-truncate --mscale 1 --mscale-all-dim 0.5",
    {
      factor: 4,
      originalMaxPositionEmbeddings: 2048,
      betaFast: 16,
      betaSlow: 2,
      truncate: false,
      mscale: 1,
      mscaleAllDim: 0.5,
    },
  ],
  [
    "yarn",
    "--factor 64 --trained-length 2048 --attention-factor 1",
    { factor: 64, originalMaxPositionEmbeddings: 2048, attentionFactor: 1 },
  ],
  [
    "long_rope",
    `--short-factor 1,1,1,1 --long-factor ${four} --factor 4 --trained-length 16 --sequence-length 64`,
    {
      shortFactor: [1, 1, 1, 1],
      longFactor: four,
      factor: 4,
      originalMaxPositionEmbeddings: 16,
    },
  ],
  ["llama3", "--trained-length 512", { originalMaxPositionEmbeddings: 512 }],
  [
    "llama3",
    "--factor 4 --low-freq-factor 2 --high-freq-factor 8",
    { factor: 4, lowFreqFactor: 2, highFreqFactor: 8 },
  ],
  [
    "proportional",
    "--partial-rotary-factor 0.5 --factor 2",
    { partialRotaryFactor: 0.5, factor: 2 },
  ],
  [
    "custom_frequencies",
    "--inv-freq 0.5,-1,0,2 --attention-factor 1.25",
    { invFreq: [0.5, -1, 0, 2], attentionFactor: 1.25 },
  ],
];

for (const build of Object.keys(builds)) {
  describe(build, () => {
    for (const [type, flags, options] of cases) {
      test(`--scaling ${type} ${flags}`, () => {
        const args = `table rope --head-dim 8 --positions -3,0.5,70000 --format json --scaling ${type}`;
        const { status, stdout, stderr } = run(build, `${args} ${flags}`.trim().split(" "));
        assert.equal(stderr, "");
        assert.equal(status, 0);
        const rope = posenc.rope({ headDim: 8, scaling: { type, ...options }, length: 64 });
        const { cos, sin } = rope.angles({ positions: [-3, 0.5, 70000] });
        rope.dispose();
        const { shape, data } = JSON.parse(stdout);
        assert.deepEqual(shape, [2, 3, 4]);
        assert.deepEqual(Float32Array.from(data), Float32Array.of(...cos, ...sin));
      });
    }

    test("--angles float32", () => {
      const args = "table rope --head-dim 8 --positions 16777215 --angles float32 --format json";
      const { stdout } = run(build, args.split(" "));
      const rope = posenc.rope({ headDim: 8, angles: "float32" });
      const { cos, sin } = rope.angles({ positions: [16777215] });
      rope.dispose();
      assert.deepEqual(JSON.parse(stdout).data.map(Math.fround), [...cos, ...sin]);
    });

    for (const [flags, message] of [
      ["--factor 2", /^--factor goes with --scaling linear\|static_ntk\|/],
      ["--scaling linear --beta-fast 3", /^--beta-fast goes with --scaling yarn$/m],
      ["--scaling yarn --inv-freq 1", /^--inv-freq goes with --scaling custom_frequencies$/m],
      ["--scaling ntk", /^--scaling must be one of none\|linear\|/],
      ["--scaling yarn --factor 2", /^rope: scaling\.original_max_position_embeddings must be 1/],
      ["--scaling long_rope --long-factor 1,x", /^--long-factor must be a finite number, got 'x'/],
    ]) {
      test(`${flags} is refused`, () => {
        const args = `table rope --head-dim 8 --length 2 ${flags}`;
        const { status, stderr } = run(build, args.split(" "));
        assert.equal(status, 2);
        assert.match(stderr.replace(/^posenc: /, ""), message);
      });
    }
  });
}
