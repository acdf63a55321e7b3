import { read } from "@e965/xlsx";
import fc from "fast-check";
import { readXlsx, writeXlsx } from "hucre/xlsx";
import { expect, test } from "vitest";
import { buildXlsx, xlsxParts, type CellSpec } from "./fixtures/build-xlsx.ts";
import { buildZip } from "./fixtures/build-zip.ts";
import { readWorkbook } from "./read-workbook.ts";
import { FileRefused } from "../facts.ts";
import { dateToSerial, serialToDate } from "./serial-date.ts";

/** Values in one spelling, blank rows and trailing blank cells left out: what all three readers must agree on. */
type Spelled = Record<string, string>;

function spell(value: unknown): string | undefined {
  if (value === null || value === undefined || value === "") return undefined;
  if (value instanceof Date) return `date ${value.toISOString().slice(0, 16)}`;
  if (typeof value === "number") return `number ${Number(value.toPrecision(15))}`;
  if (typeof value === "object" && "y" in value) {
    const { y, m, d, seconds } = value as { y: number; m: number; d: number; seconds: number };
    return `date ${new Date(Date.UTC(y, m - 1, d, 0, 0, seconds)).toISOString().slice(0, 16)}`;
  }
  return `${typeof value} ${String(value)}`;
}

function spellRows(rows: readonly (readonly unknown[])[], numberOf: (index: number) => number): Spelled {
  const spelled: Spelled = {};
  rows.forEach((row, index) => {
    row.forEach((value, column) => {
      const text = spell(value);
      if (text !== undefined) spelled[`${numberOf(index)}:${column}`] = text;
    });
  });
  return spelled;
}

function ours(bytes: Uint8Array): Spelled {
  const rows = readWorkbook(bytes).sheets[0]?.rows ?? [];
  return spellRows(
    rows.map((row) => row.cells),
    (index) => rows[index]?.number ?? 0,
  );
}

async function hucre(bytes: Uint8Array): Promise<Spelled> {
  return spellRows((await readXlsx(bytes)).sheets[0]?.rows ?? [], (index) => index + 1);
}

function sheetJs(bytes: Uint8Array): Spelled {
  const book = read(bytes, { cellDates: true, UTC: true, dense: true });
  const rows = book.Sheets[book.SheetNames[0] ?? ""]?.["!data"] ?? [];
  return spellRows(
    Array.from(rows, (row) => Array.from(row ?? [], (each) => each?.v)),
    (index) => index + 1,
  );
}

const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      "a",
      "Z",
      "0",
      " ",
      "&",
      "<",
      ">",
      '"',
      "'",
      "é",
      "ß",
      "東",
      "😀",
      "=",
      "_",
      "x",
      ";",
      "#",
    ),
    fc.constant("\n"),
  ),
  minLength: 1,
  maxLength: 30,
});
const decimal = fc
  .tuple(fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }), fc.integer({ min: 0, max: 6 }))
  .map(([digits, places]) => digits / 10 ** places);
const serial = fc.integer({ min: 61, max: 73_000 }).map((date) => ({ date }));
const cell: fc.Arbitrary<CellSpec> = fc.oneof(
  { weight: 3, arbitrary: text },
  decimal,
  fc.double({ noNaN: true, min: -1e12, max: 1e12 }),
  fc.boolean(),
  serial,
  fc.constant(null),
);
const sheetRows = fc.array(fc.array(cell, { maxLength: 8 }), { minLength: 1, maxLength: 12 });

test("every cell has the value that two other readers give it", async () => {
  await fc.assert(
    fc.asyncProperty(
      sheetRows,
      fc.constantFrom("shared" as const, "inline" as const),
      async (rows, strings) => {
        const bytes = buildXlsx({ sheets: [{ name: "S", rows }], strings });
        const own = ours(bytes);
        expect(own).toEqual(await hucre(bytes));
        expect(own).toEqual(sheetJs(bytes));
      },
    ),
    { numRuns: 150 },
  );
});

test("workbooks from another writer are read as written", async () => {
  const written = fc.array(
    fc.array(fc.oneof(text, decimal, fc.boolean(), fc.constant(null)), { minLength: 1, maxLength: 6 }),
    { minLength: 1, maxLength: 8 },
  );
  await fc.assert(
    fc.asyncProperty(
      written,
      fc.constantFrom("shared" as const, "inline" as const),
      async (rows, stringMode) => {
        const bytes = await writeXlsx({ sheets: [{ name: "S", rows }], stringMode });
        expect(ours(bytes)).toEqual(spellRows(rows, (index) => index + 1));
      },
    ),
    { numRuns: 100 },
  );
});

test("every day that Excel knows converts to a date and back", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 2_958_465 }),
      fc.integer({ min: 0, max: 86_399 }),
      (day, second) => {
        const date = serialToDate(day + second / 86_400, false);
        expect(date).toBeDefined();
        if (date) expect(Math.abs(dateToSerial(date) - day - second / 86_400)).toBeLessThan(1 / 86_400);
      },
    ),
  );
});

const SAMPLE = {
  sheets: [
    {
      name: "S",
      rows: [
        ["Invoice No", 7, true, { date: 46_024 }],
        ["a & b", 1.5],
      ],
    },
  ],
};

/** The reader reads or refuses any bytes; anything else is a bug. */
function readOrRefuse(bytes: Uint8Array): void {
  try {
    readWorkbook(bytes);
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
  }
}

test("an archive with any bytes changed is read or refused, and never crashes the reader", () => {
  const good = buildXlsx(SAMPLE);
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { minLength: 1, maxLength: 12 }),
      fc.nat(good.length),
      (changes, end) => {
        const bytes = Buffer.from(good);
        for (const [at, byte] of changes) bytes[at] = byte;
        readOrRefuse(bytes);
        readOrRefuse(bytes.subarray(0, end));
      },
    ),
    { numRuns: 1500 },
  );
});

test("a part with any characters changed is read or refused, and never crashes the reader", () => {
  const parts = xlsxParts(SAMPLE);
  const odd = fc.constantFrom(
    "<",
    ">",
    "/",
    "&",
    '"',
    "=",
    " ",
    "<!--",
    "]]>",
    "<![CDATA[",
    "<row>",
    "</c>",
    "<c r='A1'>",
    "9".repeat(30),
    "\0",
    "é",
    't="s"',
    "<v>",
    "<!DOCTYPE x>",
    "-",
    "e",
  );
  fc.assert(
    fc.property(
      fc.nat(parts.length - 1),
      fc.array(fc.tuple(fc.nat(3000), odd, fc.nat(6)), { minLength: 1, maxLength: 6 }),
      (part, changes) => {
        let data = String(parts[part]?.data);
        for (const [at, what, cut] of changes) {
          const place = at % (data.length + 1);
          data = data.slice(0, place) + what + data.slice(place + cut);
        }
        readOrRefuse(buildZip(parts.map((each, index) => (index === part ? { ...each, data } : each))));
      },
    ),
    { numRuns: 1500 },
  );
});
