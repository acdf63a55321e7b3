import { expect, test } from "vitest";
import type { Stops } from "./run-roles.ts";
import { stopOnSignals } from "./stop-on-signals.ts";

/** Promised by `docs/faults.md`. */
const ENDS_WITHIN_MS = 5_000;

const never = () => new Promise<never>(() => {});
/** Lets everything run that is not waiting for anything. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A process with these steps to stop, whose signals and time are the test's. */
function openProcess(stops: Stops, running = Promise.resolve()) {
  const listeners = new Map<string, () => void>();
  let timers: { at: number; work: () => void }[] = [];
  let now = 0;
  const exits: { code: number; at: number }[] = [];
  const ending = new AbortController();
  stopOnSignals(
    stops,
    { running, ending },
    {
      on: (signal, listener) => listeners.set(signal, listener),
      exit: (code) => exits.push({ code, at: now }),
      after: (ms, work) => timers.push({ at: now + ms, work }),
    },
  );
  return {
    exits,
    ending: ending.signal,
    send: async (signal: "SIGINT" | "SIGTERM") => {
      listeners.get(signal)?.();
      await settle();
    },
    passTo: async (end: number) => {
      for (;;) {
        const [next] = timers.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at);
        if (!next) break;
        timers = timers.filter((timer) => timer !== next);
        now = next.at;
        next.work();
        await settle();
      }
      now = end;
    },
  };
}

test("Ctrl-C stops what was started last first, and the process exits with success", async () => {
  const ended: string[] = [];
  const step = (name: string) => ({ name, stop: async () => ended.push(name) });
  const product = openProcess([step("database"), step("web"), step("worker")]);
  expect(product.exits).toEqual([]);
  await product.send("SIGINT");
  expect(ended).toEqual(["worker", "web", "database"]);
  expect(product.exits).toEqual([{ code: 0, at: 0 }]);
});

test("a step that hangs or fails does not keep the others from their turn, and all end within 5 s of Ctrl-C", async () => {
  const ended: string[] = [];
  const step = (name: string) => ({ name, stop: async () => ended.push(name) });
  const product = openProcess([
    step("database"),
    { name: "simulators", stop: () => Promise.reject(new Error("is gone")) },
    { name: "web", stop: never },
    { name: "worker", stop: never },
  ]);
  await product.send("SIGINT");
  await product.passTo(ENDS_WITHIN_MS);
  expect(ended).toEqual(["database"]);
  expect(product.exits[0]?.code).toBe(0);
});

test.each([
  ["each step", [1, 2, 3, 4, 5].map((n) => ({ name: `${n}`, stop: never })), Promise.resolve()],
  ["what is under way", [{ name: "web", stop: never, finish: never }], Promise.resolve()],
  ["the start", [{ name: "database", stop: async () => undefined }], never()],
])("the process ends within 5 s of Ctrl-C even if %s hangs", async (_what, stops, running) => {
  const product = openProcess(stops, running);
  await product.send("SIGINT");
  expect([product.ending.aborted, product.exits]).toEqual([true, []]);
  await product.passTo(ENDS_WITHIN_MS);
  expect(product.exits[0]).toMatchObject({ code: 0 });
});

test("SIGTERM gives work in progress 20 s to finish, and Ctrl-C then waits no longer", async () => {
  const upload = () => {
    const ended: string[] = [];
    const finish = (hurry: AbortSignal) =>
      new Promise<void>((resolve) => hurry.addEventListener("abort", () => resolve()));
    return { ended, product: openProcess([{ name: "web", stop: async () => ended.push("web"), finish }]) };
  };
  const waiting = upload();
  await waiting.product.send("SIGTERM");
  await waiting.product.passTo(19_999);
  expect([waiting.ended, waiting.product.exits]).toEqual([[], []]);
  await waiting.product.passTo(20_000);
  expect([waiting.ended, waiting.product.exits]).toEqual([["web"], [{ code: 0, at: 20_000 }]]);
  const hurried = upload();
  await hurried.product.send("SIGTERM");
  await hurried.product.passTo(500);
  await hurried.product.send("SIGINT");
  expect(hurried.product.exits).toEqual([{ code: 0, at: 500 }]);
});
