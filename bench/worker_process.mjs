// The driver's end of a worker process: one command, one line of answer.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** One thread, whatever library a worker brings. */
const oneThread = {
  OMP_NUM_THREADS: "1",
  OPENBLAS_NUM_THREADS: "1",
  MKL_NUM_THREADS: "1",
  PYTHONDONTWRITEBYTECODE: "1",
};

export class WorkerProcess {
  /** What the worker said of itself: { version, kernel? }. */
  hello = {};
  /** Whether it ended or reported an error: what it holds is not to be trusted any more. */
  failed = false;
  #child;
  #lines;
  #lastError = "";

  /** Starts a command; gives the worker once it has said hello, or throws what went wrong. */
  static async start([program, ...rest]) {
    const worker = new WorkerProcess();
    const env = { ...process.env, ...oneThread };
    worker.#child = spawn(program, rest, { env, stdio: ["pipe", "pipe", "pipe"] });
    worker.#child.on("error", (error) => {
      worker.#lastError = error.message;
    });
    // A worker that died is noticed by its silence.
    worker.#child.stdin.on("error", () => {});
    worker.#child.stderr.on("data", (text) => {
      worker.#lastError = `${worker.#lastError}${text}`.slice(-500);
    });
    worker.#lines = createInterface({ input: worker.#child.stdout })[Symbol.asyncIterator]();
    const [word, text] = await worker.#next();
    if (word !== "hello") throw new Error(`it says ${word} ${text}`);
    worker.hello = JSON.parse(text);
    return worker;
  }

  /** { note } when the worker has made the workload ready in that slot, { skip } when it cannot. */
  async prepare(slot, { kind, shape }) {
    const pairs = Object.entries(shape).map(([name, value]) => `${name}=${value}`);
    const [word, text] = await this.#ask("prepare", slot, kind, ...pairs);
    if (word === "ready") return { note: JSON.parse(text).note };
    return { skip: text, failed: word === "error" };
  }

  /** Seconds of `count` runs. */
  async run(slot, count) {
    const [word, text] = await this.#ask("run", slot, count);
    if (word !== "time") throw new Error(text);
    return Number(text);
  }

  /** Has a sample of the results of one run on fresh inputs written to a file. */
  async result(slot, path) {
    const [word, text] = await this.#ask("result", slot, path);
    if (word !== "done") throw new Error(text);
  }

  /** Gives back the memory of all slots. */
  async clear() {
    await this.#ask("clear").catch(() => {});
  }

  stop() {
    this.#child.kill();
  }

  async #ask(...words) {
    this.#child.stdin.write(`${words.join(" ")}\n`);
    try {
      const answer = await this.#next();
      this.failed ||= answer[0] === "error";
      return answer;
    } catch (error) {
      this.failed = true;
      throw error;
    }
  }

  /** The next line that is an answer; libraries print lines of their own. */
  async #next() {
    for (;;) {
      const { value, done } = await this.#lines.next();
      if (done) throw new Error(this.#lastError.trim() || "it ended");
      const [, word, text] = /^(\w+) ?(.*)$/.exec(value) ?? [];
      if (["hello", "ready", "skip", "done", "time", "error"].includes(word)) return [word, text];
    }
  }
}
