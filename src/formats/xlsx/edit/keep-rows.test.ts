import { read, utils } from "@e965/xlsx";
import fc from "fast-check";
import { readXlsx, writeXlsx } from "hucre/xlsx";
import { expect, test } from "vitest";
import { buildXlsx, MAIN, worksheet, type MadeWorkbook } from "../fixtures/build-xlsx.ts";
import { guardWorkbook } from "../guard.ts";
import { readWorkbook } from "../read-workbook.ts";
import { unpackPart } from "../unpack-part.ts";
import type { NewText } from "./edit-rows.ts";
import { keepRows, type KeptRows } from "./keep-rows.ts";

const HEADERS = ["No", "Customer", "Qty", "Rate", "Amount"];
const ROWS = [
  ["A-1", "Smith & Sons", 1, 2, 2],
  ["A-2", "Größe <GmbH>", 3, 4, 12],
  ["A-3", "O'Brien", 5, 6, 30],
  ["A-4", "Last", 7, 8, 56],
];

const REASONS = new Map([
  [3, 'B3: "Größe <GmbH>" & co\nis unknown.'],
  [5, "=1+1 is text"],
]);

/** A column of reasons below its header, and the rows to be taken out. */
const kept = ({ removed = new Set([2, 4]), column = 5, reasons = REASONS } = {}): KeptRows => ({
  sheet: "Invoices",
  removed,
  texts: new Map<number, Map<number, NewText>>([
    [1, new Map([[column, { text: "Reason" }]])],
    ...[...reasons].map(
      ([row, text]) => [row, new Map([[column, { text, isRemark: true }]])] as [number, Map<number, NewText>],
    ),
  ]),
  widths: new Map([[column, 60]]),
});

const plain = (change: Partial<MadeWorkbook> = {}): Buffer =>
  buildXlsx({ sheets: [{ name: "Invoices", rows: [HEADERS, ...ROWS] }], ...change });

const partOf = (bytes: Uint8Array, name: string) =>
  unpackPart(guardWorkbook(bytes), name)?.toString("utf8") ?? "";

/** Rows of the first sheet as two readers of others and our own see them. */
async function seenBy(bytes: Uint8Array): Promise<unknown[][][]> {
  const sheetJs = read(bytes);
  const first = sheetJs.Sheets[sheetJs.SheetNames[0] ?? ""];
  const hucre = await readXlsx(bytes);
  const own = readWorkbook(bytes).sheets[0];
  const trim = (rows: readonly (readonly unknown[])[]) =>
    rows
      .map((row) => row.map((cell) => cell ?? null))
      .map((row) => row.slice(0, row.findLastIndex((cell) => cell !== null) + 1))
      .filter((row) => row.length > 0);
  return [
    trim(utils.sheet_to_json<unknown[]>(first ?? {}, { header: 1, blankrows: false })),
    trim(hucre.sheets[0]?.rows ?? []),
    trim(own?.rows.map(({ cells }) => Array.from(cells)) ?? []),
  ];
}

const REASONED = [
  [...HEADERS, "Reason"],
  [...(ROWS[1] ?? []), 'B3: "Größe <GmbH>" & co\nis unknown.'],
  [...(ROWS[3] ?? []), "=1+1 is text"],
];

/** What Excel insists on: cells once each and in order, a dimension that fits, parts and content types that match. */
function expectSound(bytes: Uint8Array, part = "xl/worksheets/sheet1.xml"): void {
  const sheet = partOf(bytes, part);
  const rows = [...sheet.matchAll(/<(?:\w+:)?row\b[^>]*?\br="(\d+)"/g)].map(([, number]) => Number(number));
  expect(rows).toEqual([...new Set(rows)].toSorted((a, b) => a - b));
  for (const [row] of sheet.matchAll(/<(?:\w+:)?row\b[\s\S]*?(?:<\/(?:\w+:)?row>|\/>)/g)) {
    const number = /\br="(\d+)"/.exec(row)?.[1];
    const places = [...row.matchAll(/<(?:\w+:)?c\b[^>]*?\br="([A-Z]+)(\d+)"/g)];
    expect(places.every(([, , at]) => at === number)).toBe(true);
    const columns = places.map(([, letters = ""]) => letters.padStart(3));
    expect(columns).toEqual([...new Set(columns)].toSorted());
  }
  const { entries } = guardWorkbook(bytes);
  for (const [, name = ""] of partOf(bytes, "[Content_Types].xml").matchAll(/PartName="\/([^"]+)"/g))
    expect(entries.has(name.toLowerCase())).toBe(true);
  const styles = partOf(bytes, "xl/styles.xml");
  const formats = /<(?:\w+:)?cellXfs[^>]*count="(\d+)"[^>]*>([\s\S]*?)<\/(?:\w+:)?cellXfs>/.exec(styles);
  expect(formats?.[2]?.match(/<(?:\w+:)?xf\b/g)).toHaveLength(Number(formats?.[1]));
  const used = [...sheet.matchAll(/\bs="(\d+)"/g)].map(([, style]) => Number(style));
  expect(Math.max(0, ...used)).toBeLessThan(Number(formats?.[1]));
}

test("removed rows are gone, the others move up, and the reason is beside them", async () => {
  for (const strings of ["shared", "inline"] as const) {
    const bytes = keepRows(plain({ strings }), kept());
    expect(await seenBy(bytes)).toEqual([REASONED, REASONED, REASONED]);
    expect(readWorkbook(bytes).sheets[0]?.rows.map(({ number }) => number)).toEqual([1, 2, 3]);
    expectSound(bytes);
  }
});

test("other sheets and parts keep their bytes, and those of the sheet their formats, widths and heights", () => {
  const data =
    '<row r="1"><c r="A1" s="1"><v>1</v></c></row><row r="2" spans="1:1" ht="30" customHeight="1"><c r="A2" s="1"><v>2</v></c></row>' +
    '<row r="3" spans="1:1" ht="15"><c r="A3" s="1"><v>3</v></c><c r="D3" s="1"/></row>';
  const sheetXml = worksheet(data, '<pageMargins left="1"/>').replace(
    "<sheetData>",
    '<dimension ref="A1:C3"/><sheetFormatPr defaultRowHeight="15"/><cols><col min="1" max="16384" width="9" style="1"/></cols><sheetData>',
  );
  const source = buildXlsx({
    sheets: [
      { name: "Invoices", sheetXml },
      { name: "Notes", rows: [["keep me"]] },
    ],
    parts: { "xl/media/logo.png": "\u0001binary", "customXml/item1.xml": "<a/>" },
  });
  const bytes = keepRows(
    source,
    kept({
      removed: new Set([2]),
      column: 3,
      reasons: new Map([[3, "x"]]),
    }),
  );
  const [before, after] = [guardWorkbook(source), guardWorkbook(bytes)];
  for (const name of [
    "xl/worksheets/sheet2.xml",
    "xl/media/logo.png",
    "customxml/item1.xml",
    "xl/workbook.xml",
  ]) {
    const [old, now] = [before.entries.get(name), after.entries.get(name)];
    const raw = (file: Uint8Array, entry: typeof old) =>
      Buffer.from(file.subarray(entry?.dataStart, (entry?.dataStart ?? 0) + (entry?.packedSize ?? 0)));
    expect(raw(bytes, now).equals(raw(source, old))).toBe(true);
  }
  expect([...after.entries.keys()]).toEqual([...before.entries.keys()]);
  const sheet = partOf(bytes, "xl/worksheets/sheet1.xml");
  expect(sheet).toContain('<dimension ref="A1:D2"/>');
  expect(sheet).toContain(
    '<cols><col min="1" max="3" width="9" style="1"/><col min="4" max="4" width="60" customWidth="1"/><col min="5" max="16384" width="9" style="1"/></cols>',
  );
  expect(sheet).toContain('<row r="2"><c r="A2" s="1"><v>3</v></c><c r="D2" s="2" t="inlineStr">');
  expect(sheet).toContain('<pageMargins left="1"/></worksheet>');
  expectSound(bytes);
});

test("formulas, validations, conditional formats, merges and links move with their rows", () => {
  const row = (number: number, cells = "") =>
    `<row r="${number}"><c r="A${number}"><v>${number}</v></c>${cells}</row>`;
  const data =
    row(1) +
    row(2, '<c r="B2"><f t="shared" ref="B2:B6" si="0">A2*$C$1+LOG10(A2)</f><v>1</v></c>') +
    row(3, '<c r="B3"><f t="shared" si="0"/><v>1</v></c>') +
    row(4, '<c r="B4"><f>IF(A4&gt;1,"A2",Other!A4)</f><v>1</v></c>') +
    row(5, '<c r="B5"><f t="shared" si="0"/><v>1</v></c>') +
    row(9, '<c r="B9"><f>SUM(B2:B6)&amp;A$9</f><v>1</v></c>');
  const tail =
    '<mergeCells count="1"><mergeCell ref="A9:B9"/></mergeCells>' +
    '<conditionalFormatting sqref="A2:B6"><cfRule type="expression" priority="1"><formula>$A2&gt;$A$5</formula></cfRule></conditionalFormatting>' +
    '<conditionalFormatting sqref="A5:B6"><cfRule type="expression" priority="2"><formula>$A5&gt;B$9</formula></cfRule></conditionalFormatting>' +
    '<dataValidations count="1"><dataValidation type="list" sqref="C2:C1001 D5"><formula1>Other!$A$2:$A$9</formula1></dataValidation></dataValidations>' +
    '<hyperlinks><hyperlink ref="A5" location="x"/></hyperlinks>';
  const source = buildXlsx({
    sheets: [
      { name: "Invoices", sheetXml: worksheet(data, tail) },
      { name: "Other", rows: [["=Elsewhere"]] },
    ],
    parts: { "xl/calcChain.xml": `<calcChain xmlns="${MAIN}"><c r="B2" i="1"/></calcChain>` },
  });
  const bytes = keepRows(source, kept({ removed: new Set([2, 4]) }));
  const sheet = partOf(bytes, "xl/worksheets/sheet1.xml");
  expect([...sheet.matchAll(/<f[^>]*>[^<]*<\/f>/g)].map(([formula]) => formula)).toEqual([
    "<f>A2*$C$1+LOG10(A2)</f>",
    "<f>A3*$C$1+LOG10(A3)</f>",
    "<f>SUM(B2:B4)&amp;A$7</f>",
  ]);
  expect(sheet).toContain('<mergeCell ref="A7:B7"/>');
  expect(sheet).toContain('<conditionalFormatting sqref="A2:B4">');
  expect(sheet).toContain("<formula>$A2&gt;$A$3</formula>");
  expect(sheet).toContain('<conditionalFormatting sqref="A3:B4">');
  expect(sheet).toContain("<formula>$A3&gt;B$7</formula>");
  expect(sheet).toContain('sqref="C2:C999 D3"><formula1>Other!$A$2:$A$9</formula1>');
  expect(sheet).toContain('<hyperlink ref="A3" location="x"/>');
  expect(partOf(bytes, "xl/calcchain.xml")).toBe("");
  expect(partOf(bytes, "xl/workbook.xml")).toContain('</sheets><calcPr fullCalcOnLoad="1"/>');
  expectSound(bytes);
});

test("frozen rows stay frozen, and the part below them begins right behind, also when its first row is gone", () => {
  const views =
    '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>' +
    '<selection pane="bottomLeft" activeCell="B4" sqref="B4:B5"/></sheetView></sheetViews>';
  const data = [1, 2, 3, 4, 5]
    .map((row) => `<row r="${row}"><c r="A${row}"><v>${row}</v></c></row>`)
    .join("");
  const sheetXml = worksheet(data).replace("<sheetData>", `${views}<sheetData>`);
  const bytes = keepRows(buildXlsx({ sheets: [{ name: "Invoices", sheetXml }] }), kept());
  const sheet = partOf(bytes, "xl/worksheets/sheet1.xml");
  expect(sheet).toContain('<pane ySplit="1" topLeftCell="A2"');
  expect(sheet).toContain('activeCell="B3" sqref="B3:B3"');
});

const IN_PLACE: readonly (readonly [
  string,
  { tail?: string; cell?: string; parts?: Record<string, string>; other?: string },
])[] = [
  ["a formula that refers to a removed row", { cell: '<c r="G5"><f>A2+1</f><v>1</v></c>' }],
  ["an array formula", { cell: '<c r="G5"><f t="array" ref="G5">A5</f><v>1</v></c>' }],
  ["a table", { tail: '<tableParts count="1"/>' }],
  ["a filter", { tail: '<autoFilter ref="A1:E5"/>' }],
  ["a picture", { tail: "<drawing/>" }],
  ["a merge across a removed row", { tail: '<mergeCells count="1"><mergeCell ref="A3:A5"/></mergeCells>' }],
  [
    "a format of a removed row only",
    { tail: '<conditionalFormatting sqref="A2"><cfRule/></conditionalFormatting>' },
  ],
  ["formulas of another sheet", { other: '<row r="1"><c r="A1"><f>SUM(Invoices!E:E)</f><v>1</v></c></row>' }],
  [
    "a note on a row that moves",
    {
      parts: {
        "xl/worksheets/_rels/sheet1.xml.rels":
          '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://x/comments" Target="../comments1.xml"/></Relationships>',
        "xl/comments1.xml": '<comments><commentList><comment ref="A5"/></commentList></comments>',
      },
    },
  ],
];

test.each(IN_PLACE)(
  "with %s rows stay where they are: removed ones are blank and hidden",
  async (_, made) => {
    const body = (rows: readonly (readonly unknown[])[]) =>
      rows
        .map((cells, index) => {
          const xml = cells.map((value, column) => {
            const place = `${"ABCDE"[column]}${index + 1}`;
            return typeof value === "number"
              ? `<c r="${place}" s="1"><v>${value}</v></c>`
              : `<c r="${place}" t="str"><v>${String(value).replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</v></c>`;
          });
          return `<row r="${index + 1}">${xml.join("")}${index === 4 ? (made.cell ?? "") : ""}</row>`;
        })
        .join("");
    const sheetXml = worksheet(body([HEADERS, ...ROWS]), made.tail);
    const other = worksheet(made.other ?? "");
    const source = buildXlsx({
      sheets: [
        { name: "Invoices", sheetXml },
        { name: "Other", sheetXml: other },
      ],
      formats: ["0.00"],
      parts: made.parts ?? {},
    });
    const bytes = keepRows(source, kept());
    const own = readWorkbook(bytes).sheets[0];
    expect(own?.rows.map(({ number }) => number)).toEqual([1, 3, 5]);
    expect(own?.rows[1]?.cells[5]).toBe('B3: "Größe <GmbH>" & co\nis unknown.');
    const sheet = partOf(bytes, "xl/worksheets/sheet1.xml");
    expect(sheet).toContain('<row r="2" hidden="1"><c r="C2" s="1"/>');
    if (made.tail) expect(sheet).toContain(made.tail);
    expectSound(bytes);
  },
);

test("a shared formula outlives the blanked row that held it", () => {
  const data =
    '<row r="1"><c r="A1"><v>1</v></c></row>' +
    '<row r="2"><c r="A2"><v>2</v></c><c r="B2"><f t="shared" ref="B2:B3" si="3">A2&amp;"x"</f><v>2</v></c></row>' +
    '<row r="3"><c r="A3"><v>3</v></c><c r="B3"><f t="shared" si="3"/><v>3</v></c></row>';
  const source = buildXlsx({
    sheets: [{ name: "Invoices", sheetXml: worksheet(data, '<autoFilter ref="A1:B3"/>') }],
  });
  const bytes = keepRows(source, kept({ removed: new Set([2]) }));
  expect(partOf(bytes, "xl/worksheets/sheet1.xml")).toContain('<c r="B3"><f>A3&amp;"x"</f><v>3</v></c>');
});

test("a sheet written with prefixes keeps them", async () => {
  const cells = (row: readonly unknown[], number: number) =>
    row.map((value, column) => {
      const place = `${"ABCDE"[column]}${number}`;
      return typeof value === "number"
        ? `<x:c r="${place}"><x:v>${value}</x:v></x:c>`
        : `<x:c r="${place}" t="str"><x:v>${String(value).replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</x:v></x:c>`;
    });
  const rows = [HEADERS, ...ROWS].map(
    (row, index) => `<x:row r="${index + 1}">${cells(row, index + 1).join("")}</x:row>`,
  );
  const sheetXml = `<?xml version="1.0"?><x:worksheet xmlns:x="${MAIN}"><x:sheetData>${rows.join("")}</x:sheetData></x:worksheet>`;
  const bytes = keepRows(buildXlsx({ sheets: [{ name: "Invoices", sheetXml }] }), kept());
  const [sheetJs, , own] = await seenBy(bytes);
  expect(own).toEqual(REASONED);
  expect(sheetJs).toEqual(REASONED);
  expect(partOf(bytes, "xl/worksheets/sheet1.xml")).toContain('<x:cols><x:col min="6"');
  expectSound(bytes);
});

test("a workbook of another writer keeps its second sheet, validation, note and formats", async () => {
  const source = await writeXlsx({
    sheets: [
      {
        name: "Invoices",
        columns: [{ width: 30 }],
        rows: [HEADERS, ...ROWS],
        cells: new Map([
          ["0,0", { value: "No", style: { font: { bold: true } }, comment: { text: "Unique" } }],
          ["2,3", { value: 4, style: { numFmt: "#,##0.000" } }],
        ]),
        dataValidations: [{ type: "list", values: ["Y", "N"], range: "C2:C100" }],
        freezePane: { rows: 1 },
      },
      { name: "Notes", rows: [["keep", 1]] },
    ],
  });
  const bytes = keepRows(source, kept());
  expect(await seenBy(bytes)).toEqual([REASONED, REASONED, REASONED]);
  const book = await readXlsx(bytes, { readStyles: true });
  expect(book.sheets.map(({ name }) => name)).toEqual(["Invoices", "Notes"]);
  expect(book.sheets[0]?.dataValidations?.[0]).toMatchObject({ range: "C2:C98" });
  expect(book.sheets[0]?.cells?.get("1,3")?.style?.numFmt).toBe("#,##0.000");
  expect(book.sheets[0]?.cells?.get("0,0")?.comment?.text).toBe("Unique");
  expect(book.sheets[1]?.rows).toEqual([["keep", 1]]);
  expectSound(bytes);
});

test("an earlier reason column is written over, and a cell there gives way", async () => {
  const first = keepRows(plain(), kept());
  const second = keepRows(
    first,
    kept({
      removed: new Set([2]),
      column: 5,
      reasons: new Map([[3, "new"]]),
    }),
  );
  const expected = [
    [...HEADERS, "Reason"],
    [...(ROWS[3] ?? []), "new"],
  ];
  expect(await seenBy(second)).toEqual([expected, expected, expected]);
  expectSound(second);
});

test("rows with a reason are shown and may grow, other hidden rows stay hidden", () => {
  const data = [1, 2, 3, 4]
    .map((row) => `<row r="${row}" spans="1:1" hidden="1" ht="15"><c r="A${row}"><v>${row}</v></c></row>`)
    .join("");
  const source = buildXlsx({ sheets: [{ name: "Invoices", sheetXml: worksheet(data) }] });
  const bytes = keepRows(
    source,
    kept({
      removed: new Set([2]),
      column: 1,
      reasons: new Map([[3, "x"]]),
    }),
  );
  expect([...partOf(bytes, "xl/worksheets/sheet1.xml").matchAll(/<row[^>]*>/g)].map(([tag]) => tag)).toEqual([
    '<row r="1">',
    '<row r="2">',
    '<row r="3" spans="1:1" hidden="1" ht="15">',
  ]);
});

const cell = fc.oneof(
  fc.integer(),
  fc.boolean(),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 }).filter((text) => text.trim() !== ""),
  fc.constant(null),
);

test("whatever the rows hold, those that stay keep their values and the others are gone", () => {
  const rows = fc.array(fc.tuple(fc.integer({ min: 1 }), cell, cell, cell), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(rows, fc.array(fc.nat(11)), fc.boolean(), (made, chosen, inPlace) => {
      const removed = new Set(chosen.filter((index) => index < made.length).map((index) => index + 2));
      const texts = new Map(
        made.flatMap((_, index) => (removed.has(index + 2) ? [] : [[index + 2, `r${index}`] as const])),
      );
      const sheet = { name: "Invoices", rows: [["No", "A", "B", "C"], ...made] };
      const filter = {
        name: "Sum",
        sheetXml: worksheet('<row r="1"><c r="A1"><f>Invoices!A1</f></c></row>'),
      };
      const source = buildXlsx({ sheets: inPlace ? [sheet, filter] : [sheet] });
      const bytes = keepRows(source, kept({ removed, column: 4, reasons: texts }));
      const before = readWorkbook(source).sheets[0]?.rows ?? [];
      const after = readWorkbook(bytes).sheets[0]?.rows ?? [];
      const staying = before.filter(({ number }) => !removed.has(number));
      expect(after.map(({ cells }) => Array.from({ length: 4 }, (_, index) => cells[index]))).toEqual(
        staying.map(({ cells }) => Array.from({ length: 4 }, (_, index) => cells[index])),
      );
      expect(after.map(({ cells }) => cells[4])).toEqual(["Reason", ...texts.values()]);
      expect(after.map(({ number }) => number)).toEqual(
        inPlace && removed.size > 0
          ? staying.map(({ number }) => number)
          : staying.map((_, index) => index + 1),
      );
      expectSound(bytes);
    }),
    { numRuns: 60 },
  );
});

test("30,000 rows of 20 columns take less than 3 seconds", () => {
  const rows = Array.from({ length: 30_000 }, (_, row) =>
    Array.from({ length: 20 }, (__, column) => row * column),
  );
  const source = buildXlsx({ sheets: [{ name: "Invoices", rows: [HEADERS, ...rows] }] });
  const removed = new Set(rows.flatMap((_, index) => (index % 3 === 0 ? [] : [index + 2])));
  const started = process.cpuUsage();
  const bytes = keepRows(source, kept({ removed }));
  expect(process.cpuUsage(started).user / 1e6).toBeLessThan(3);
  expect(readWorkbook(bytes).sheets[0]?.rows).toHaveLength(10_001);
});
