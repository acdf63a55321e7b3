import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { refusalText } from "#features/invoices/fixtures/plan-rows.ts";
import { readInThread } from "#features/sheets/read-file.ts";

test.each([
  ["processor time", "endless", { cpuMs: 300, memoryMb: 1_000 }, "Reading the selected file took too long."],
  // Filling 32 MB takes a slow processor longer than that.
  ["memory", "greedy", { cpuMs: 60_000, memoryMb: 32 }, "The selected file needs too much memory to read."],
] as const)(
  "a file that takes too much %s is refused with instructions",
  async (_, thread, bounds, sentence) => {
    const module = new URL(`../../platform/threads/fixtures/threads/${thread}.ts`, import.meta.url);
    const task = { bytes: new Uint8Array(), input: null, owner: "test" };
    const limits = { ...bounds, timeoutMs: 60_000 };
    const refusal = await readInThread(module, task, limits).catch((error: unknown) => error);
    expect(
      refusalText(() => {
        throw refusal;
      }),
    ).toBe(`${sentence} Copy only the rows you need into a new file and upload that.`);
  },
);

/** Each file is read in a thread that loads all of these first: the packages of the contract took half of its time. */
test.each([
  "invoices/workbook/inspect-workbook",
  "invoices/plan/plan-workbook",
  "labels/read-sheet/read-sheet",
])("a thread that reads a file loads no packages: %s", (module) => {
  const loadAndList = `
      import { registerHooks } from "node:module";
      registerHooks({ load: (url, context, next) => (console.log(url), next(url, context)) });
      await import(${JSON.stringify(new URL(`../${module}.ts`, import.meta.url).href)});`;
  const args = ["--input-type=module", "--eval", loadAndList];
  const loaded = execFileSync(process.execPath, args, { encoding: "utf8" }).trim().split("\n");
  expect(loaded.filter((url) => url.endsWith(`/${module}.ts`))).toHaveLength(1);
  expect(loaded.filter((url) => url.includes("/node_modules/"))).toEqual([]);
});
