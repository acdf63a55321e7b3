import { expect, test } from "vitest";
import { buildXlsx } from "./fixtures/build-xlsx.ts";
import { readWorkbook } from "./read-workbook.ts";
import type { Workbook } from "./workbook.ts";
import { WorkbookRefused, WorkbooksBusy } from "./refusals.ts";
import { runInWorker } from "./run-in-worker.ts";

const BOUNDS = { cpuMs: 10_000, timeoutMs: 60_000 };
const FILE = buildXlsx({ sheets: [{ name: "S", rows: [["a", 1, true, { date: 46024 }], ["b"]] }] });
const workerModule = (name: string) => new URL(`./fixtures/workers/${name}.ts`, import.meta.url);
const readInThread = (bytes: Uint8Array) =>
  runInWorker<Workbook>(workerModule("read-all"), { bytes, input: {}, owner: "test" }, BOUNDS);

test("a thread reads the same values", async () => {
  expect(await readInThread(FILE)).toEqual(readWorkbook(FILE));
});

test("the caller's bytes stay usable", async () => {
  const bytes = new Uint8Array(FILE);
  await readInThread(bytes);
  expect(bytes.length).toBe(FILE.length);
});

test("a refusal keeps its code and sentence on the way out of the thread", async () => {
  const refusal = await readInThread(Buffer.from("a,b")).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(WorkbookRefused);
  expect(refusal).toMatchObject({ code: "not_xlsx", message: expect.stringContaining("CSV") as string });
});

test("a function of the caller runs beside the reader, only its result comes back", async () => {
  expect(
    await runInWorker<number>(
      workerModule("count-rows"),
      { bytes: FILE, input: { add: 40 }, owner: "test" },
      BOUNDS,
    ),
  ).toBe(42);
});

test("a thread that gets no processor time is not the file's fault: it is ended as one to try again", async () => {
  const error = await runInWorker(
    workerModule("starved"),
    { bytes: FILE, input: null, owner: "test" },
    { cpuMs: 10_000, timeoutMs: 400 },
  ).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(WorkbooksBusy);
});

test("a thread that takes too much processor time is ended and refused as such", async () => {
  const refusal = await runInWorker(
    workerModule("endless"),
    { bytes: FILE, input: null, owner: "test" },
    { cpuMs: 300, timeoutMs: 60_000 },
  ).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ name: "WorkbookRefused", code: "took_too_long" });
});

test("a thread that takes too much memory ends alone", async () => {
  const refusal = await runInWorker(
    workerModule("greedy"),
    { bytes: FILE, input: null, owner: "test" },
    { ...BOUNDS, memoryMb: 32 },
  ).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ name: "WorkbookRefused", code: "too_much_memory" });
});

test("an abort ends the thread with the caller's reason", async () => {
  const controller = new AbortController();
  const started = new Int32Array(new SharedArrayBuffer(4));
  const running = runInWorker(
    workerModule("endless"),
    { bytes: FILE, input: started, owner: "test" },
    { ...BOUNDS, signal: controller.signal },
  );
  await Atomics.waitAsync(started, 0, 0).value;
  controller.abort(new Error("gone"));
  await expect(running).rejects.toThrow("gone");
});

test("a bug in the thread is not taken for a bad file", async () => {
  const error = await runInWorker(
    workerModule("broken"),
    { bytes: FILE, input: null, owner: "test" },
    BOUNDS,
  ).catch((reason: unknown) => reason);
  expect(error).not.toBeInstanceOf(WorkbookRefused);
  expect(error).toMatchObject({ message: expect.stringContaining("x is not a function") as string });
});
