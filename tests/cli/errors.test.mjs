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
writeNpy(file("double.npy"), [2, 2], new Float32Array(8), { type: "'<f8'" });
writeNpy(file("fortran.npy"), [2, 2], new Float32Array(4), { order: "True" });
writeNpy(file("short.npy"), [4, 4], new Float32Array(15));
writeNpy(file("long.npy"), [2, 2], new Float32Array(5));
writeNpy(file("huge.npy"), [2 ** 40, 2 ** 40], []);
writeNpy(file("version9.npy"), [1, 1], [1], { version: 9 });
writeFileSync(file("text.npy"), "not a table");
writeFileSync(file("empty.npy"), "");
writeFileSync(file("damaged.npy"), "\x93NUMPY\x01\x00\xff\xff{", "latin1");

const sinusoidal = "table sinusoidal --length 2";
const alibi = "bias alibi --heads 2 --keys 3";
const learned = "table learned --length 2 --rows";

/** Command: exit status and message. FOLDER stands for the folder of the files above. */
const cases = [
  ["", 2, /^one of these commands is required: table, bias, info$/],
  ["tabel", 2, /^The following argument was not expected: tabel$/],
  ["table", 2, /^one of these commands is required: sinusoidal, learned, rope$/],
  ["table ropes", 2, /^The following argument was not expected: ropes$/],
  ["bias", 2, /^one of these commands is required: alibi, t5$/],
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
  ["table rope --head-dim 63 --length 2", 2, /^rope: head_dim must be .*even.* got 63$/],
  ["table rope --head-dim 8 --length 2 --scaling ntk", 2, /^--scaling must be one of/],
  ["table rope --head-dim 8 --length 2 --factor 4", 2, /--factor/],
  ["table rope --head-dim 8 --length 2 --scaling linear --factor 0", 2, /^rope: .*factor/],
  [`${learned} FOLDER/rows.npy --offset 19`, 2, /^learned: /],
  [`${learned} FOLDER/rows.npy --row-offset 30`, 2, /^learned: /],
  ["table learned --rows FOLDER/rows.npy --positions 1.5", 2, /^learned: .*1\.5/],
  [`${learned} FOLDER/none.npy`, 1, /none\.npy: No such file or directory$/],
  [`${learned} FOLDER/flat.npy`, 1, /flat\.npy: must have the shape \[rows, dim\], has 1 axes$/],
  [`${learned} FOLDER/double.npy`, 1, /double\.npy: holds '<f8', not float32/],
  [`${learned} FOLDER/fortran.npy`, 1, /fortran\.npy: is in Fortran order/],
  [`${learned} FOLDER/short.npy`, 1, /short\.npy: the file ends too early$/],
  [`${learned} FOLDER/long.npy`, 1, /long\.npy: has more data than its header says$/],
  [`${learned} FOLDER/huge.npy`, 1, /huge\.npy: is too large for memory$/],
  [`${learned} FOLDER/version9.npy`, 1, /version9\.npy: .*version 9 is not known$/],
  [`${learned} FOLDER/text.npy`, 1, /text\.npy: not a \.npy file$/],
  [`${learned} FOLDER/empty.npy`, 1, /empty\.npy: the file ends too early$/],
  [`${learned} FOLDER/damaged.npy`, 1, /damaged\.npy: the file ends too early$/],
  [`${alibi}`, 2, /^--queries is required$/],
  ["bias alibi --heads 0 --queries 1 --keys 1", 2, /^alibi: heads must be 1 to 16777216, got 0$/],
  [`${alibi} --form key --queries 3`, 2, /^--form key is the same for every query/],
  [`${alibi} --queries 3 --slopes mpt`, 2, /^--slopes must be one of checkpoint\|paper/],
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
      "table learned": ["--rows", "--row-offset", "--length", "--offset", "--positions"],
      "table rope": ["--head-dim", "--rotary-dim", "--scaling", "--factor", "--part", "--out"],
      "bias alibi": ["--heads", "--slopes", "--form", "--queries", "--keys", "--query-offset"],
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
