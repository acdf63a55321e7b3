import { expect, test } from "vitest";
import { DEFAULT_LIMITS } from "../limits.ts";
import { buildXlsx, MAIN, worksheet, xlsxParts } from "./fixtures/build-xlsx.ts";
import { buildZip } from "./fixtures/build-zip.ts";
import { readWorkbook } from "./read-workbook.ts";
import { readSharedStrings } from "./shared-strings.ts";
import type { CellValue } from "./workbook.ts";

function makeSheet(
  sheetData: string,
  more: { after?: string; parts?: Record<string, string>; formats?: string[]; date1904?: boolean } = {},
) {
  const { after, ...rest } = more;
  const workbook = readWorkbook(
    buildXlsx({ sheets: [{ name: "S", sheetXml: worksheet(sheetData, after) }], ...rest }),
  );
  return workbook.sheets[0]!;
}

const readCell = (cell: string, more: Parameters<typeof makeSheet>[1] = {}) =>
  makeSheet(`<row r="1">${cell}</row>`, more).rows[0]?.cells[0];
const date = (y: number, m: number, d: number, seconds = 0): CellValue => ({
  kind: "date",
  y,
  m,
  d,
  seconds,
});

test.each<[string, string, CellValue | undefined]>([
  ["a number", '<c r="A1"><v>12.5</v></c>', 12.5],
  ["a negative number", '<c r="A1"><v>-0.07</v></c>', -0.07],
  ["an exponent", '<c r="A1"><v>1.5E+3</v></c>', 1500],
  ["float noise, as Excel shows it", '<c r="A1"><v>19.989999999999998</v></c>', 19.99],
  ["a number of 17 digits, as Excel shows it", '<c r="A1"><v>61414123456789012</v></c>', 61414123456789000],
  ["an inline string", '<c r="A1" t="inlineStr"><is><t>Acme</t></is></c>', "Acme"],
  [
    "a text with spaces around",
    '<c r="A1" t="inlineStr"><is><t xml:space="preserve">  a </t></is></c>',
    "  a ",
  ],
  [
    "rich text, joined",
    '<c r="A1" t="inlineStr"><is><r><rPr><b/></rPr><t>Ac</t></r><r><t>me</t></r></is></c>',
    "Acme",
  ],
  [
    "phonetic hints, left out",
    '<c r="A1" t="inlineStr"><is><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></is></c>',
    "東京",
  ],
  [
    "an escaped control character",
    '<c r="A1" t="inlineStr"><is><t>a_x000D_b_x005F_x0041_</t></is></c>',
    "a\rb_x0041_",
  ],
  [
    "entities",
    '<c r="A1" t="inlineStr"><is><t>&lt;img onerror&gt; &amp;amp; &#8364;&#x1F600;</t></is></c>',
    "<img onerror> &amp; €😀",
  ],
  ["no NUL, which is not text", '<c r="A1" t="inlineStr"><is><t>a_x0000_b\0c&#0;d</t></is></c>', "abcd"],
  [
    "a pair of surrogates that are escaped one by one",
    '<c r="A1" t="inlineStr"><is><t>_xD83D__xDE00_</t></is></c>',
    "😀",
  ],
  [
    "a replacement for half a surrogate pair",
    '<c r="A1" t="inlineStr"><is><t>a_xD83D_b&#xDE00;&#55357;c</t></is></c>',
    "a\uFFFDb\uFFFD\uFFFDc",
  ],
  [
    "no half of a pair in the result of a formula",
    '<c r="A1" t="str"><f>B1</f><v>a_xD800_</v></c>',
    "a\uFFFD",
  ],
  ["an unknown entity, unchanged", '<c r="A1" t="inlineStr"><is><t>&evil;</t></is></c>', "&evil;"],
  [
    "names that JavaScript objects have, unchanged",
    '<c r="A1" t="inlineStr"><is><t>&constructor;&amp;&__proto__;&;&&amp;lt;</t></is></c>',
    "&constructor;&&__proto__;&;&&lt;",
  ],
  ["a CDATA section", '<c r="A1" t="inlineStr"><is><t>a<![CDATA[<b>&amp;]]>c</t></is></c>', "a<b>&amp;c"],
  ["text after a comment", '<c r="A1" t="inlineStr"><is><t>a<!-- no --></t></is></c>', "a"],
  [
    "a formula text that would be an injection elsewhere",
    '<c r="A1" t="inlineStr"><is><t>=1+1</t></is></c>',
    "=1+1",
  ],
  ["true", '<c r="A1" t="b"><v>1</v></c>', true],
  ["false", '<c r="A1" t="b"><v>0</v></c>', false],
  ["an error", '<c r="A1" t="e"><v>#REF!</v></c>', { kind: "error", code: "#REF!" }],
  [
    "an error of a formula",
    '<c r="A1" t="e"><f>1/0</f><v>#DIV/0!</v></c>',
    { kind: "error", code: "#DIV/0!" },
  ],
  ["the stored result of a formula", '<c r="A1"><f>B1*2</f><v>6</v></c>', 6],
  ["the stored text of a formula", '<c r="A1" t="str"><f>B1&amp;"x"</f><v>7x</v></c>', "7x"],
  ["a formula without a stored result", '<c r="A1"><f>B1*2</f></c>', { kind: "no_value" }],
  ["a formula that openpyxl wrote", '<c r="A1"><f>B1*2</f><v></v></c>', { kind: "no_value" }],
  ["a formula with a self-closed result", '<c r="A1"><f>B1*2</f><v/></c>', { kind: "no_value" }],
  ["a formula with no text as result, as blank", '<c r="A1" t="str"><f>""</f><v/></c>', undefined],
  [
    "the text of a formula, kept with its cell",
    '<c r="A1" t="inlineStr"><f>B1</f><is><t>kept</t></is></c>',
    "kept",
  ],
  ["a formula with an empty text as result, as blank", '<c r="A1" t="str"><f>""</f><v></v></c>', undefined],
  ["an ISO date", '<c r="A1" t="d"><v>2026-01-02</v></c>', date(2026, 1, 2)],
  ["an ISO date with a time", '<c r="A1" t="d"><v>2026-01-02T10:30:00Z</v></c>', date(2026, 1, 2, 37_800)],
  ["an invalid date, as text", '<c r="A1" t="d"><v>2026-02-30</v></c>', "2026-02-30"],
  ["a styled blank cell", '<c r="A1" s="1"/>', undefined],
])("a cell holds %s", (_, xml, expected) => {
  expect(readCell(xml)).toEqual(expected);
});

/** Without its format where it is the requested one. */
type Shown = CellValue extends infer Each
  ? Each extends { format: string }
    ? Omit<Each, "format"> & { format?: string }
    : Each
  : never;

test.each<[string, number, Shown]>([
  ["yyyy\\-mm\\-dd", 46024, date(2026, 1, 2)],
  ["m/d/yy h:mm", 46024.4375, date(2026, 1, 2, 37_800)],
  ["[$-409]mmmm d, yyyy;@", 46024, date(2026, 1, 2)],
  ["[Red]yyyy", 46024, date(2026, 1, 2)],
  ["h:mm AM/PM", 0.5, date(1899, 12, 31, 43_200)],
  ["yyyy", 1, date(1900, 1, 1)],
  ["yyyy", 59, date(1900, 2, 28)],
  ["yyyy", 60, date(1900, 2, 29)],
  ["yyyy", 61, date(1900, 3, 1)],
  ["yyyy", 2_958_465, date(9999, 12, 31)],
  ["yyyy", 46023.999999999, date(2026, 1, 2)],
  ["yyyy", 46023.9999999653, date(2026, 1, 1, 86_399)],
  ["yyyy h:mm:ss", 46023.4376736111, date(2026, 1, 1, 37_815)],
  ["yyyy", -5, -5],
  ["yyyy", 2_958_466, 2_958_466],
  ["[Red]0.00", 46024, 46024],
  ['0 "days"', 5, { kind: "padded", number: 5, text: "5 days" }],
  ["0\\d", 5, { kind: "padded", number: 5, text: "5d" }],
  ["#,##0_m", 5, 5],
  ["[h]:mm", 1.5, { kind: "time", number: 1.5, text: "36:00" }],
  ["[h]:mm:ss", 0.0001, { kind: "time", number: 0.0001, text: "0:00:09" }],
  ["[$€-407] #,##0.00", 12.5, { kind: "money", number: 12.5, sign: "€", text: "12.5 €" }],
  ['#,##0.00 "EUR"', 12.5, { kind: "money", number: 12.5, sign: "EUR", text: "12.5 EUR" }],
  ["[$$-409]#,##0.00", 12.5, 12.5],
  ["[$-409]#,##0.00", 12.5, 12.5],
  ['_("$"* #,##0.00_)', 12.5, 12.5],
  ["General", 5, 5],
  ["0.00E+00", 5, 5],
  ["00000", 1234, { kind: "padded", number: 1234, text: "01234" }],
  ["00000", 1234.5, 1234.5],
  ["00000_)", 1234, { kind: "padded", number: 1234, text: "01234" }],
  ['"INV-"0000', 12, { kind: "padded", number: 12, text: "INV-0012" }],
  ['"INV-"0000', 123_456, { kind: "padded", number: 123_456, text: "INV-123456" }],
  ['"INV-"General', 12, { kind: "padded", number: 12, text: "INV-12" }],
  ["\\A0;\\B0", 7, { kind: "padded", number: 7, text: "A7" }],
  ["000-000", 12_345, { kind: "padded", number: 12_345, text: "012-345" }],
  ["(###) ###-####", 5_035_550_100, { kind: "padded", number: 5_035_550_100, text: "(503) 555-0100" }],
  ['0" pcs"', 5, { kind: "padded", number: 5, text: "5 pcs" }],
  ["#,##0", 1234, 1234],
  ["0%", 2, { kind: "percent", number: 2, text: "200%" }],
  ["0.0%", 0.155, { kind: "percent", number: 0.155, text: "15.5%" }],
  ['0" %"', 2, { kind: "percent", number: 0.02, text: "2%", format: "0%" }],
  ["0\\%", 7, { kind: "percent", number: 0.07, text: "7%", format: "0%" }],
  ['0.0"%"', 7.25, { kind: "percent", number: 0.0725, text: "7.25%", format: "0.00%" }],
  ['General"%"', 10, { kind: "percent", number: 0.1, text: "10%", format: "0%" }],
  ['0;0"%"', 10, 10],
  ["# ?/?", 2, 2],
  ["0_);(0)", 2, 2],
])("format %s shows %d as Excel does", (format, value, expected) => {
  const shown = typeof expected === "object" && "number" in expected ? { format, ...expected } : expected;
  expect(readCell(`<c r="A1" s="1"><v>${value}</v></c>`, { formats: [format] })).toEqual(shown);
});

test("built-in date formats are recognized without a code", () => {
  const styles = `<styleSheet xmlns="${MAIN}"><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="4"/></cellXfs></styleSheet>`;
  const cells = makeSheet(
    '<row r="1"><c r="A1" s="1"><v>46024</v></c><c r="B1" s="2"><v>46024</v></c></row>',
    {
      parts: { "xl/styles.xml": styles },
    },
  );
  expect(cells.rows[0]?.cells).toEqual([date(2026, 1, 2), 46024]);
});

test("dates in a 1904 workbook count from 1904", () => {
  expect(readCell('<c r="A1" s="1"><v>44562</v></c>', { date1904: true })).toEqual(date(2026, 1, 2));
  expect(readCell('<c r="A1" s="1"><v>0</v></c>', { date1904: true })).toEqual(date(1904, 1, 1));
});

test("rows and cells without references follow one another", () => {
  const sheet = makeSheet(
    '<row><c><v>1</v></c><c r="D1"><v>2</v></c><c><v>3</v></c></row><row r="4"><c><v>4</v></c></row><row><c><v>5</v></c></row>',
  );
  expect(sheet.rows).toEqual([
    { number: 1, hidden: false, cells: [1, undefined, undefined, 2, 3] },
    { number: 4, hidden: false, cells: [4] },
    { number: 5, hidden: false, cells: [5] },
  ]);
});

test("prefixed XML, as the Open XML SDK writes it, is read", () => {
  const xml = `<x:worksheet xmlns:x="${MAIN}"><x:sheetData><x:row r="1"><x:c r="A1" t="s"><x:v>0</x:v></x:c></x:row></x:sheetData></x:worksheet>`;
  const strings = `<x:sst xmlns:x="${MAIN}"><x:si><x:t>Acme</x:t></x:si></x:sst>`;
  const workbook = readWorkbook(
    buildXlsx({ sheets: [{ name: "S", sheetXml: xml }], parts: { "xl/sharedStrings.xml": strings } }),
  );
  expect(workbook.sheets[0]?.rows[0]?.cells).toEqual(["Acme"]);
});

test("a wrong dimension changes nothing", () => {
  const xml = worksheet('<row r="3"><c r="C3"><v>1</v></c></row>').replace(
    "<sheetData>",
    '<dimension ref="A1:A1"/><sheetData>',
  );
  expect(readWorkbook(buildXlsx({ sheets: [{ name: "S", sheetXml: xml }] })).sheets[0]?.rows).toEqual([
    { number: 3, hidden: false, cells: [undefined, undefined, 1] },
  ]);
});

test("shared strings may follow the sheet in the archive", () => {
  const file = buildXlsx({ sheets: [{ name: "S", rows: [["a", "b"]] }], stringsLast: true });
  expect(readWorkbook(file).sheets[0]?.rows[0]?.cells).toEqual(["a", "b"]);
});

test("a byte order mark is skipped", () => {
  const xml = worksheet('<row r="1"><c r="A1" t="inlineStr"><is><t>é</t></is></c></row>');
  const marked = readWorkbook(buildXlsx({ sheets: [{ name: "S", sheetXml: `\uFEFF${xml}` }] }));
  expect(marked.sheets[0]?.rows[0]?.cells).toEqual(["é"]);
});

test.each<[string, string, (text: string) => Buffer]>([
  ["ISO-8859-1", "Größe", (text) => Buffer.from(text, "latin1")],
  ["windows-1252", "“x” €", (text) => Buffer.from(text.replace("“x” €", "\x93x\x94 \x80"), "latin1")],
  ["UTF-16", "東京", (text) => Buffer.from(`\uFEFF${text}`, "utf16le")],
  ["UTF-16", "東京", (text) => Buffer.from(text, "utf16le").swap16()],
  ["utf-8", "東京", (text) => Buffer.from(text)],
  ["US-ASCII", "x", (text) => Buffer.from(text)],
])("a part in %s is read as it declares itself", (encoding, text, encode) => {
  const xml = worksheet(`<row r="1"><c r="A1" t="inlineStr"><is><t>${text}</t></is></c></row>`);
  const data = encode(xml.replace('encoding="UTF-8"', `encoding="${encoding}"`));
  const parts = xlsxParts({ sheets: [{ name: "S", rows: [] }] });
  const file = buildZip(parts.map((part) => (part.name.includes("sheet1") ? { ...part, data } : part)));
  expect(readWorkbook(file).sheets[0]?.rows[0]?.cells).toEqual([text]);
});

test("a part in an unknown encoding is treated as damaged", () => {
  const xml = worksheet("").replace('encoding="UTF-8"', 'encoding="x-klingon"');
  expect(() => readWorkbook(buildXlsx({ sheets: [{ name: "S", sheetXml: xml }] }))).toThrow(
    /damaged .*x-klingon/,
  );
});

test("hidden rows, hidden sheets and merged ranges are reported, and very hidden sheets left out", () => {
  const rows = '<row r="1"><c r="A1"><v>1</v></c></row><row r="2" hidden="1"><c r="A2"><v>2</v></c></row>';
  const workbook = readWorkbook(
    buildXlsx({
      sheets: [
        {
          name: "__proto__",
          sheetXml: worksheet(rows, '<mergeCells count="1"><mergeCell ref="A1:B2"/></mergeCells>'),
        },
        { name: "Old & new", state: "hidden", rows: [["x"]] },
        { name: "Lists", state: "veryHidden", rows: [["1"]] },
      ],
    }),
  );
  expect(workbook.sheets.map(({ name, state, merges }) => ({ name, state, merges }))).toEqual([
    { name: "__proto__", state: "visible", merges: ["A1:B2"] },
    { name: "Old & new", state: "hidden", merges: [] },
  ]);
  expect(workbook.sheets[0]?.rows.map((row) => row.hidden)).toEqual([false, true]);
});

test("only the first cell of a merged range has a value, whatever is kept under it", () => {
  const rows = [
    [1, 2, 3],
    [4, 5, 6],
    [7, 8, 9],
  ];
  const read = (...merges: string[]) =>
    readWorkbook(buildXlsx({ sheets: [{ name: "S", rows, merges }] })).sheets[0]?.rows.map(
      ({ cells }) => cells,
    );
  expect(read("A1:B2", "C2:C3")).toEqual([
    [1, undefined, 3],
    [undefined, undefined, 6],
    [7, 8, undefined],
  ]);
  expect(read("A2:XFD1048576", "B1:B1", "nothing")).toEqual([
    [1, 2, 3],
    [4, undefined, undefined],
    [undefined, undefined, undefined],
  ]);
});

test("merged ranges that cover each other thousands of times are treated as damage", () => {
  const rows = Array.from({ length: 3_000 }, (_, at) => [at]);
  const merges = Array.from({ length: 3_000 }, () => "A1:C3000");
  expect(() => readWorkbook(buildXlsx({ sheets: [{ name: "S", rows, merges }] }))).toThrow(/damaged/);
});

test("hidden columns are reported", () => {
  const cols =
    '<cols><col min="1" max="1" width="9"/><col min="2" max="3" hidden="1"/><col min="1023" max="16384" hidden="true"/></cols>';
  const xml = worksheet('<row r="1"><c r="A1"><v>1</v></c></row>').replace(
    "<sheetData>",
    `${cols}<sheetData>`,
  );
  expect(
    readWorkbook(buildXlsx({ sheets: [{ name: "S", sheetXml: xml }] })).sheets[0]?.hiddenColumns,
  ).toEqual([1, 2, 1022, 1023]);
});

test("styled blank rows down to Excel's last row are not rows", () => {
  const blank = Array.from(
    { length: 100_000 },
    (_, index) => `<row r="${index + 948_477}" s="1"><c r="A${index + 948_477}" s="1"/></row>`,
  );
  const sheet = makeSheet(`<row r="1"><c r="A1"><v>1</v></c></row>${blank.join("")}`);
  expect(sheet.rows).toHaveLength(1);
  expect(sheet.refused).toBeNull();
});

test("rows out of order are put in order; a row that occurs twice is treated as damage", () => {
  const row = (number: number) => `<row r="${number}"><c r="A${number}"><v>${number}</v></c></row>`;
  expect(makeSheet(row(3) + row(1)).rows.map((each) => each.number)).toEqual([1, 3]);
  expect(() => makeSheet(row(3) + row(3))).toThrow(/damaged/);
});

test("a sheet with too many rows is reported by name, and another sheet in the file is still read", () => {
  const rows = Array.from({ length: 21 }, (_, index) => [index]);
  const workbook = readWorkbook(
    buildXlsx({
      sheets: [
        { name: "Raw", rows },
        { name: "Invoices", rows: [["ok"]] },
      ],
    }),
    { maxRows: 20 },
  );
  expect(workbook.sheets[0]?.refused).toMatchObject({
    code: "too_many_rows",
    params: { sheet: "Raw", max: 20 },
  });
  expect(workbook.sheets[0]?.rows).toHaveLength(10);
  expect(workbook.sheets[1]?.rows[0]?.cells).toEqual(["ok"]);
});

test("a value beyond the last allowed column is reported with its cell; a styled blank cell there is not", () => {
  expect(makeSheet('<row r="2"><c r="AMJ2"><v>1</v></c></row>').refused).toBeNull();
  const sheet = makeSheet('<row r="2"><c r="AMM2"><v>1</v></c></row>');
  expect(sheet.refused?.params).toEqual({ sheet: "S", cell: "AMM2", last: "AMJ" });
  expect(makeSheet('<row r="2"><c r="A2"><v>1</v></c><c r="XFD2" s="1"/></row>').refused).toBeNull();
});

test("many rows with one value far to the right are refused before they fill memory", () => {
  const rows = Array.from({ length: 20_000 }, (_, row) => `<row><c r="AMJ${row + 1}"><v>1</v></c></row>`);
  const { refused } = makeSheet(rows.join(""));
  expect([refused?.code, refused?.params["last"]]).toEqual(["too_many_columns", "IV"]);
});

test("cells of all sheets count against one limit", () => {
  const rows = [[1, 2, 3]];
  const workbook = readWorkbook(
    buildXlsx({
      sheets: [
        { name: "A", rows },
        { name: "B", rows },
      ],
    }),
    { maxCells: 5 },
  );
  expect(workbook.sheets.map((sheet) => sheet.refused?.code ?? null)).toEqual([null, "too_many_cells"]);
});

test("a workbook with only charts has nothing to read", () => {
  expect(() => readWorkbook(buildXlsx({ sheets: [] }))).toThrow(/no_sheets/);
});

test("a shared string longer than a cell allows is truncated just past the limit", () => {
  const long = "ab".repeat(100_000);
  const xml = `<sst xmlns="${MAIN}"><si><t>short</t></si><si><t>${long}</t></si></sst>`;
  const lengths = readSharedStrings(Buffer.from(xml), DEFAULT_LIMITS).map((text) => text.length);
  expect(lengths).toEqual([5, 32_768]);
  const rowWith = (index: number) => `<row r="1"><c r="A1" t="s"><v>${index}</v></c></row>`;
  const parts = { "xl/sharedStrings.xml": xml };
  expect(makeSheet(rowWith(0), { parts }).rows[0]?.cells).toEqual(["short"]);
  expect(() => makeSheet(rowWith(1), { parts })).toThrow(/text_too_long/);
});
