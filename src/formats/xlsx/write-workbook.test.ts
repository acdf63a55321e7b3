import { read } from "@e965/xlsx";
import fc from "fast-check";
import { expect, test } from "vitest";
import { guardWorkbook } from "./guard.ts";
import { readWorkbook } from "./read-workbook.ts";
import { unpackPart } from "./unpack-part.ts";
import type { CellValue } from "./workbook.ts";
import { writeWorkbook } from "./write-workbook.ts";

test("what is written reads back as the same values", async () => {
  const row: CellValue[] = [
    "Acme & Söhne <b>",
    12.5,
    true,
    { kind: "date", y: 2026, m: 1, d: 2, seconds: 0 },
    { kind: "padded", number: 12, text: "00012", format: "00000" },
  ];
  const bytes = await writeWorkbook([
    {
      name: "S",
      columns: ["A", "B", "C", "D", "E"].map((header) => ({ header })),
      rows: [row, ["b", null, undefined, 1]],
    },
  ]);
  expect(readWorkbook(bytes).sheets[0]?.rows.map(({ cells }) => cells)).toEqual([
    ["A", "B", "C", "D", "E"],
    row,
    ["b", undefined, undefined, 1],
  ]);
});

test("any text reads back as it was written, including control characters except NUL, and what looks like an escape", async () => {
  const part = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("_x0041_", "_x", "\r\n", "\0", " ", "&amp;"),
  );
  const text = fc.array(part, { minLength: 1 }).map((parts) => `a${parts.join("")}`);
  const written = fc.asyncProperty(text, async (value) => {
    const bytes = await writeWorkbook([{ name: "S", columns: [{ header: "A" }], rows: [[value]] }]);
    expect(readWorkbook(bytes).sheets[0]?.rows[1]?.cells).toEqual([value.replaceAll("\0", "")]);
  });
  await fc.assert(written, { numRuns: 200 });
});

test("no part of a workbook holds a character that XML forbids, even if texts and comments do", async () => {
  const text = "a\u0001b\uFFFEc\uFFFFd\uD800e";
  const archive = guardWorkbook(
    await writeWorkbook([
      {
        name: "S",
        columns: [{ header: text, note: text }],
        rows: [[text]],
        marks: [{ row: 0, column: 0, comment: text }],
      },
    ]),
  );
  const parts = [...archive.entries.keys()].map((name) => unpackPart(archive, name)?.toString() ?? "");
  const forbidden = parts.flatMap((part) => [...part].filter((character) => !ALLOWED.test(character)));
  expect(forbidden).toEqual([]);
});

/** @see XML 1.0, production 2 */
const ALLOWED = /[\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;

test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", '=HYPERLINK("http://x")', "=cmd|' /C calc'!A0"])(
  "text %j is never a formula in what we write, and reads back unchanged",
  async (text) => {
    const bytes = await writeWorkbook([{ name: "S", columns: [{ header: text }], rows: [[text]] }]);
    const sheet = read(bytes, { cellFormula: true, cellNF: true }).Sheets["S"];
    expect(sheet?.["A2"]).toMatchObject({ t: "s", v: text, z: "@" });
    expect(sheet?.["A2"]).not.toHaveProperty("f");
    expect(readWorkbook(bytes).sheets[0]?.rows[1]?.cells).toEqual([text]);
  },
);

test("blank rows of a text column are formatted as text, so that leading zeros typed there stay", async () => {
  const bytes = await writeWorkbook([
    { name: "S", columns: [{ header: "No", text: true }, { header: "Qty" }], rows: [["1", 2]], extraRows: 3 },
  ]);
  const sheet = read(bytes, { cellNF: true, sheetStubs: true }).Sheets["S"];
  expect(sheet?.["A5"]).toMatchObject({ t: "z", z: "@" });
  expect(sheet?.["B5"]?.z).not.toBe("@");
});

test("lists, notes and hidden sheets are written", async () => {
  const bytes = await writeWorkbook([
    { name: "S", columns: [{ header: "Taxable", note: "Y or N", choices: ["Y", "N"] }], rows: [] },
    { name: "H", state: "hidden", columns: [{ header: "x" }], rows: [] },
    { name: "V", state: "veryHidden", columns: [{ header: "x" }], rows: [] },
  ]);
  const book = read(bytes, { cellStyles: true });
  expect(book.Workbook?.Sheets?.map((sheet) => sheet.Hidden)).toEqual([0, 1, 2]);
  expect(book.Sheets["S"]?.["A1"]?.c?.[0]?.t).toContain("Y or N");
  expect(readWorkbook(bytes).sheets.map((sheet) => sheet.name)).toEqual(["S", "H"]);
});

test("the same input gives the same bytes", async () => {
  const sheets = [{ name: "S", columns: [{ header: "A", note: "n" }], rows: [["x"]] }];
  expect(Buffer.compare(await writeWorkbook(sheets), await writeWorkbook(sheets))).toBe(0);
});
