// Bad flags, values and files: the exit status and the sentence, the same from both builds.
import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { builds, posenc, temporaryFolder, writeNpy } from "./command.mjs";

const folder = temporaryFolder();
const file = (name) => join(folder, name);
writeNpy(file("rows.npy"), [20, 3], new Float32Array(60));
writeNpy(file("flat.npy"), [60], new Float32Array(60));
writeNpy(file("big.npy"), [2, 2], new Float32Array(4), { type: "'>f4'" });
writeNpy(file("fortran.npy"), [2, 2], new Float32Array(4), { order: "True" });
writeNpy(file("short.npy"), [4, 4], new Float32Array(15));
writeNpy(file("long.npy"), [2, 2], new Float32Array(5));
writeNpy(file("huge.npy"), [2 ** 31, 2 ** 31, 2 ** 31], []);
writeNpy(file("version9.npy"), [1, 1], [1], { version: 9 });
writeFileSync(file("text.npy"), "not a table");
writeFileSync(file("empty.npy"), "");
writeFileSync(file("damaged.npy"), "\x93NUMPY\x01\x00\xff\xff{", "latin1");

const sinusoidal = "table sinusoidal --length 2";
const alibi = "bias alibi --heads 2 --keys 3";
const grid = "table sincos_grid --height 2 --width 3";
const detr = "table detr_sine --height 2 --width 3";
const multiscale = "table multiscale --positions 0,1 --positions 2,3";
const kerple = "bias kerple --queries 1 --keys 2 --a 1";
const learned = "table learned --length 2 --table";

/** Command: exit status and message. FOLDER stands for the folder of the files above. */
const cases = [
  [
    "",
    2,
    /^one of these commands is required: table, angles, bias, scores, positions, explain, info$/,
  ],
  ["tabel", 2, /^The following argument was not expected: tabel$/],
  [
    "table",
    2,
    /^--config or one of these commands is required: sinusoidal, sincos_grid, .*, rope$/,
  ],
  ["table ropes", 2, /^The following argument was not expected: ropes$/],
  ["bias", 2, /^--config or one of these commands is required: alibi, kerple, t5, swin, .*$/],
  [`${sinusoidal}`, 2, /^--dim is required$/],
  [`${sinusoidal} --dim`, 2, /--dim/],
  [`${sinusoidal} --dim 4 --dimm 5`, 2, /--dimm/],
  [`${sinusoidal} --dim 1.5`, 2, /^--dim must be a whole number from 0 to 4294967295, got '1.5'$/],
  [`${sinusoidal} --dim 4294967300`, 2, /^--dim must be a whole number .* got '4294967300'$/],
  [`${sinusoidal} --dim 18446744073709551620`, 2, /^--dim must be a whole number/],
  [`${sinusoidal} --dim -4`, 2, /^--dim must be a whole number/],
  [`${sinusoidal} --dim nan`, 2, /^--dim must be a whole number/],
  [`${sinusoidal} --dim 0x10`, 2, /^--dim must be a whole number/],
  [`${sinusoidal} --dim 0`, 2, /^sinusoidal: dim must be 1 to 16777216, got 0$/],
  [`${sinusoidal} --dim 4 --base nan`, 2, /^--base must be a finite number, got 'nan'$/],
  [`${sinusoidal} --dim 4 --base 1e999`, 2, /^--base must be a finite number, got '1e999'$/],
  [`${sinusoidal} --dim 4 --base 0x1p3`, 2, /^--base must be a finite number/],
  [`${sinusoidal} --dim 4 --base 1e`, 2, /^--base must be a finite number/],
  [`${sinusoidal} --dim 4 --base=`, 2, /--base/],
  [`${sinusoidal} --dim 4 --base -1`, 2, /^sinusoidal: base must be/],
  [`${sinusoidal} --dim 4 --layout paper`, 2, /^--layout must be one of interleaved\|half, got/],
  [`${sinusoidal} --dim 4 --positions 1`, 2, /^--length and --positions exclude each other$/],
  ["table sinusoidal --dim 4", 2, /^--length or --positions is required$/],
  ["table sinusoidal --dim 4 --positions 1,,2", 2, /^--positions must be a finite number, got ''$/],
  ["table sinusoidal --dim 4 --positions 1 --offset 3", 2, /--offset/],
  ["table sinusoidal --dim 4 --positions 1e16", 2, /^sinusoidal: position/],
  [`${sinusoidal} --dim 4 --offset 1125899906842624`, 2, /^sinusoidal: position/],
  [`${sinusoidal} --dim 4 --out FOLDER/x.txt`, 2, /does not end in \.npy, \.csv or \.json/],
  [`${sinusoidal} --dim 4 --format xml`, 2, /^--format must be one of npy\|csv\|json/],
  [`${sinusoidal} --dim 4 --quiet --progress`, 2, /--quiet|--progress/],
  [`${sinusoidal} --dim 4 --out FOLDER/none/x.npy`, 1, /^cannot write .*: No such file/],
  [`${sinusoidal} --dim 4 --out FOLDER --format npy`, 1, /^cannot write .*: Is a directory$/],
  [`${sinusoidal} --dim 4 --out /dev/full --format csv`, 1, /^cannot write .*: No space left/],
  [
    `${sinusoidal} --dim 4 --min-timescale 2`,
    2,
    /^sinusoidal: min_timescale needs a max_timescale/,
  ],
  [`${sinusoidal} --dim 4 --max-timescale 9 --base 9`, 2, /--base|--max-timescale/],
  [`${sinusoidal} --dim 4 --padding-position 1.5`, 2, /^--padding-position must be a whole number/],
  [`${sinusoidal} --dim 4 --order sine`, 2, /^--order must be one of sine_first\|cosine_first/],
  [`${grid} --dim 6`, 2, /^sincos_grid: dim must be a multiple of 2 \* axes = 4 .* got 6$/],
  [`${grid} --dim 8 --axes 4`, 2, /^sincos_grid: axes must be 2 or 3, got 4$/],
  [
    `${grid} --dim 8 --depth 2`,
    2,
    /^sincos_grid: depth must be 1 for an encoding of 2 axes, got 2$/,
  ],
  [`${grid} --dim 8 --first-x 1e30`, 2, /^sincos_grid: first_x/],
  [`${grid} --dim 8 --prefix-rows 16777217`, 2, /^sincos_grid: prefix_rows must be 0 to 16777216/],
  ["table sincos_grid --dim 8 --height 4000000000 --width 4000000000", 1, /^out of memory$/],
  ["table sincos_grid --dim 8 --height 2", 2, /^--width is required$/],
  [`${detr} --num-pos-feats 5`, 2, /^detr_sine: num_pos_feats must be .*even.* got 5$/],
  [`${detr} --temperature 0`, 2, /^detr_sine: temperature must be 1 to 1e\+30, got 0$/],
  ["table detr_sine --height 400000 --width 400000", 1, /^out of memory$/],
  [`${multiscale} --dims 4,x`, 2, /^--dims must be a whole number .* got 'x'$/],
  [`${multiscale} --dims 4,5`, 2, /^multiscale: dim of a level must be even, got 5 at level 1$/],
  [`${multiscale} --dims 4`, 2, /^--positions must have one list for each .* 1 levels .* got 2$/],
  [
    `${multiscale} --dims 4,4 --bases 9`,
    2,
    /^--bases must have one for each .* 2 levels .* got 1$/,
  ],
  [`${multiscale} --dims 4,4 --scales 9,1,2`, 2, /^--scales must have one for each .* got 3$/],
  ["table multiscale --dims 4", 2, /^--positions is required$/],
  ["table multiscale --dims 4,4 --positions 1,2 --positions 1", 2, /^multiscale: positions /],
  [
    "table multiscale --dims 4 --positions 1,,2",
    2,
    /^--positions must be a finite number, got ''$/,
  ],
  ["table rope --head-dim 63 --length 2", 2, /^rope: head_dim must be .*even.* got 63$/],
  ["table rope --head-dim 8 --length 2 --scaling ntk", 2, /^--scaling must be one of/],
  ["table rope --head-dim 8 --length 2 --factor 4", 2, /--factor/],
  ["table rope --head-dim 8 --length 2 --scaling linear --factor 0", 2, /^rope: .*factor/],
  [`${learned} FOLDER/rows.npy --offset 19`, 2, /^learned: /],
  [`${learned} FOLDER/rows.npy --row-offset 30`, 2, /^learned: /],
  ["table learned --table FOLDER/rows.npy --positions 1.5", 2, /^learned: .*1\.5/],
  [`${learned} FOLDER/none.npy`, 1, /none\.npy: No such file or directory$/],
  [`${learned} FOLDER/flat.npy`, 1, /flat\.npy: must have the shape \[rows, dim\], has 1 axes$/],
  [
    `${learned} FOLDER/big.npy`,
    1,
    /big\.npy: npy: descr must be .* got '>f4': convert it in NumPy/,
  ],
  [`${learned} FOLDER/fortran.npy`, 1, /fortran\.npy: npy: fortran_order must be False, got True/],
  [
    `${learned} FOLDER/short.npy`,
    1,
    /short\.npy: npy: shape needs 64 bytes of data, the file has 60$/,
  ],
  [
    `${learned} FOLDER/long.npy`,
    1,
    /long\.npy: npy: shape needs 16 bytes of data, the file has 20$/,
  ],
  [
    `${learned} FOLDER/huge.npy`,
    1,
    /huge\.npy: npy: shape has more elements than memory can hold$/,
  ],
  [`${learned} FOLDER/version9.npy`, 1, /version9\.npy: npy: version must be 1 to 3, got 9$/],
  [`${learned} FOLDER/text.npy`, 1, /text\.npy: npy: the file does not start as a \.npy file$/],
  [`${learned} FOLDER/empty.npy`, 1, /empty\.npy: npy: the file does not start as a \.npy file$/],
  [
    `${learned} FOLDER/damaged.npy`,
    1,
    /damaged\.npy: npy: header is damaged: the file ends in it$/,
  ],
  [`${alibi}`, 2, /^--queries is required$/],
  ["bias alibi --heads 0 --queries 1 --keys 1", 2, /^alibi: heads must be 1 to 16777216, got 0$/],
  [`${alibi} --form key --queries 3`, 2, /^--form key is the same for every query/],
  [`${alibi} --queries 3 --slopes mpt`, 2, /^--slopes must be one of checkpoint\|paper/],
  [`${alibi} --form falcon_key --queries 3`, 2, /^--form falcon_key is the same for every query/],
  [
    `${alibi} --queries 3 --alibi-heads 3`,
    2,
    /^alibi: alibi_heads must be at most heads = 2, got 3$/,
  ],
  [`${alibi} --queries 3 --alibi-bias-max 0`, 2, /^alibi: alibi_bias_max must be/],
  [`${alibi} --queries 3 --custom-slopes 1`, 2, /^alibi: custom_slopes must have heads = 2/],
  [
    `${alibi} --queries 3 --custom-slopes 1,2 --slopes paper`,
    2,
    /^--slopes does not go with --custom-slopes$/,
  ],
  ["bias kerple --a 1 --queries 1 --keys 1", 2, /^--p is required$/],
  [`${kerple} --p 1,2`, 2, /^kerple: a must have heads = 2/],
  [`${kerple} --p -1`, 2, /^kerple: p must be 0 to 1e\+30, got -1$/],
  [`${kerple} --p 1 --minimum 3 --p-maximum 2`, 2, /^kerple: p_maximum must be 3 to inf, got 2$/],
  [`${kerple} --p 1 --kind linear`, 2, /^--kind must be one of log\|power, got 'linear'$/],
  ["bias t5 --table FOLDER/rows.npy --queries 1 --keys 1", 2, /^--bidirectional .* is required$/],
  [
    "bias t5 --table FOLDER/rows.npy --causal --num-buckets 32 --queries 1 --keys 1",
    2,
    /^t5: table /,
  ],
];

for (const [command, status, message] of cases) {
  test(command === "" ? "no command at all" : command, () => {
    const args = command.split(" ").filter(Boolean);
    const [native, npx] = Object.keys(builds).map((build) =>
      posenc(
        build,
        args.map((arg) => arg.replace("FOLDER", folder)),
      ),
    );
    assert.match(native.stderr, /^posenc: .*\n$/);
    assert.match(native.stderr.slice("posenc: ".length).trimEnd(), message);
    assert.equal(native.status, status);
    assert.equal(native.stdout.length, 0);
    assert.equal(npx.stderr, native.stderr);
    assert.equal(npx.status, status);
    assert.equal(npx.stdout.length, 0);
  });
}

test("nothing is left behind by commands that failed", () => {
  assert.ok(!existsSync(file("x.npy")) && !existsSync(file("x.txt")));
});

describe("help and version", () => {
  test("--help tells the exit statuses and succeeds", () => {
    for (const build of Object.keys(builds)) {
      const { status, stdout } = posenc(build, ["--help"]);
      assert.equal(status, 0);
      assert.match(String(stdout), /Exit status: 0 .*; 1 .*; 2 /s);
    }
  });
  test("each command's --help tells its flags", () => {
    const flags = {
      "table sinusoidal": ["--dim", "--base", "--layout", "--odd-width", "--frequency-denominator"],
      "table sincos_grid": ["--axes", "--axis-order", "--prefix-rows", "--depth", "--cell-order"],
      "table detr_sine": ["--height", "--width", "--num-pos-feats", "--normalize", "--centered"],
      "table multiscale": ["--dims", "--bases", "--scales", "--positions", "--combine", "--layout"],
      "table learned": [
        "--table",
        "--scale",
        "--row-offset",
        "--length",
        "--offset",
        "--positions",
      ],
      "table rope": ["--head-dim", "--rotary-dim", "--scaling", "--factor", "--part", "--out"],
      "bias alibi": ["--heads", "--slopes", "--form", "--queries", "--keys", "--query-offset"],
      "bias kerple": ["--kind", "--p", "--a", "--minimum", "--p-maximum", "--form"],
      "bias t5": ["--table", "--bidirectional", "--causal", "--num-buckets", "--max-distance"],
      info: ["--json", "--kernels"],
    };
    for (const [command, names] of Object.entries(flags)) {
      const native = String(posenc("native", [...command.split(" "), "--help"]).stdout);
      for (const name of names) assert.ok(native.includes(name), `${command}: ${name}`);
      const npx = posenc("npx", [...command.split(" "), "--help"]);
      assert.equal(String(npx.stdout), native);
    }
  });
});
