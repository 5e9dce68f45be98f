// posenc info: version and kernels, and the variable that chooses one.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { builds, posenc } from "./command.mjs";

const manifest = new URL("../../package.json", import.meta.url);
const { version } = JSON.parse(readFileSync(manifest, "utf8"));
const lines = (bytes) => String(bytes).trimEnd().split("\n");

for (const build of Object.keys(builds)) {
  describe(build, () => {
    const info = JSON.parse(posenc(build, ["info", "--json"]).stdout);
    const kernels = lines(posenc(build, ["info", "--kernels"]).stdout);

    test("--version and info tell the package's version", () => {
      assert.equal(String(posenc(build, ["--version"]).stdout), `${version}\n`);
      assert.equal(info.version, version);
      assert.match(String(posenc(build, ["info"]).stdout), new RegExp(`^version +${version}\n`));
    });

    test("the best kernel is in use, and scalar is always there", () => {
      assert.deepEqual(info.kernels, kernels);
      assert.equal(kernels.at(-1), "scalar");
      assert.equal(info.kernel, kernels[0]);
    });

    test("POSENC_KERNEL puts each of them in use, with the same bytes", () => {
      const table = ["table", "sinusoidal", "--dim", "50", "--length", "30", "--format", "npy"];
      const expected = posenc(build, table).stdout;
      for (const kernel of kernels) {
        const env = { POSENC_KERNEL: kernel };
        const described = JSON.parse(posenc(build, ["info", "--json"], { env }).stdout);
        assert.equal(described.kernel, kernel);
        assert.ok(posenc(build, table, { env }).stdout.equals(expected), kernel);
      }
    });

    test("a kernel that is not there is an error of every command", () => {
      for (const command of [["info"], ["table", "sinusoidal", "--dim", "2", "--length", "1"]]) {
        const run = posenc(build, command, { env: { POSENC_KERNEL: "mmx" } });
        assert.equal(run.status, 2);
        assert.equal(
          run.stderr,
          `posenc: POSENC_KERNEL must be one of ${kernels.join(", ")} on this machine, got 'mmx'\n`,
        );
      }
    });
  });
}
