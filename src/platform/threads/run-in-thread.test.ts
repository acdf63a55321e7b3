import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { ThreadsBusy } from "#platform/threads/errors.ts";
import { runInThread } from "#platform/threads/run-in-thread.ts";
import { takeTurn, TURNS } from "#platform/threads/take-turn.ts";

const BOUNDS = { cpuMs: 10_000, timeoutMs: 60_000, memoryMb: 512 };
const FILE = new TextEncoder().encode("bytes of a file");
const threadModule = (name: string) => new URL(`./fixtures/threads/${name}.ts`, import.meta.url);

test("a thread gets bytes and input, its result comes back, and the caller's bytes stay usable", async () => {
  const bytes = new Uint8Array(FILE);
  const input = { add: [40, new Date(0)] };
  expect(await runInThread(threadModule("echo"), { bytes, input, owner: "test" }, BOUNDS)).toEqual({
    text: "bytes of a file",
    input,
  });
  expect(bytes).toEqual(FILE);
});

test("input and bytes given as functions are asked for once the owner's turn has come; an error of theirs gives the turn back", async () => {
  const owner = "one of many";
  const ends = await Promise.all(Array.from({ length: TURNS.placesPerOwner }, () => takeTurn(owner)));
  let asked = 0;
  const run = (input: () => unknown) =>
    runInThread(threadModule("echo"), { bytes: async () => new Uint8Array(FILE), input, owner }, BOUNDS);
  const waiting = run(() => (asked += 1));
  const refused = run(() => Promise.reject(new Error("There is nothing to write.")));
  await setImmediate();
  expect(asked).toBe(0);
  for (const end of ends) end();
  await expect(refused).rejects.toThrow("There is nothing to write.");
  expect(await waiting).toEqual({ text: "bytes of a file", input: 1 });
});

test("an error with a code keeps its name, code and message on the way out of the thread", async () => {
  const task = { bytes: FILE, input: null, owner: "test" };
  await expect(runInThread(threadModule("refuse"), task, BOUNDS)).rejects.toMatchObject({
    name: "ThreadError",
    thrown: "Refused",
    code: "not_today",
    message: "Come back tomorrow.",
  });
});

test("a thread that gets no processor time is ended, to be retried", async () => {
  const error = await runInThread(
    threadModule("starved"),
    { bytes: FILE, input: null, owner: "test" },
    { ...BOUNDS, timeoutMs: 400 },
  ).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ThreadsBusy);
});

test("a thread that takes too much processor time is ended", async () => {
  const refusal = await runInThread(
    threadModule("endless"),
    { bytes: FILE, input: null, owner: "test" },
    { ...BOUNDS, cpuMs: 300 },
  ).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ name: "ThreadOverLimit", limit: "processor time" });
});

test("a thread that takes too much memory ends alone", async () => {
  const refusal = await runInThread(
    threadModule("greedy"),
    { bytes: FILE, input: null, owner: "test" },
    { ...BOUNDS, memoryMb: 32 },
  ).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ name: "ThreadOverLimit", limit: "memory" });
});

test("a bug in the thread has no code, and says where it is", async () => {
  const error = await runInThread(
    threadModule("broken"),
    { bytes: FILE, input: null, owner: "test" },
    BOUNDS,
  ).catch((reason: unknown) => reason);
  expect(error).toMatchObject({
    thrown: "TypeError",
    code: undefined,
    message: expect.stringMatching(/x is not a function[^]*broken\.ts/) as string,
  });
});

test("a thread that did its task well does the next one, and one with a bug does not", async () => {
  const run = (fails: boolean) =>
    runInThread<number>(threadModule("number"), { bytes: FILE, input: fails, owner: "test" }, BOUNDS);
  const first = await run(false);
  expect(await run(false)).toBe(first);
  await expect(run(true)).rejects.toThrow("A bug.");
  expect(await run(false)).not.toBe(first);
});
