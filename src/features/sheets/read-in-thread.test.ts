import { expect, test } from "vitest";
import { WorkbookRefused } from "#formats/xlsx/refusals.ts";
import { readInThread } from "#features/sheets/read-in-thread.ts";

test.each([
  ["processor time", "endless", "took_too_long", "Reading the selected file took too long."],
  ["memory", "greedy", "too_much_memory", "The selected file needs too much memory to read."],
])(
  "a file that takes too much %s is refused, with what to do about it",
  async (_, thread, code, sentence) => {
    const module = new URL(`../../platform/threads/fixtures/threads/${thread}.ts`, import.meta.url);
    const task = { bytes: new Uint8Array(), input: null, owner: "test" };
    const bounds = { cpuMs: 300, timeoutMs: 60_000, memoryMb: 32 };
    const refusal = await readInThread(module, task, bounds).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(WorkbookRefused);
    expect(refusal).toMatchObject({
      code,
      message: `${sentence} Copy only the rows you need into a new workbook and upload that file.`,
    });
  },
);
