import { expect, test } from "vitest";
import { buildXlsx, MAIN, worksheet, type MadeWorkbook } from "./fixtures/build-xlsx.ts";
import { readWorkbook } from "./read-workbook.ts";

const STRICT = "http://purl.oclc.org/ooxml/spreadsheetml/main";
const EXTENSION = "http://schemas.microsoft.com/office/spreadsheetml/2010/11/main";
const RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

const sheetList = (prefix = "") =>
  `<${prefix}sheets><${prefix}sheet name="S" sheetId="1" r:id="rId1"/></${prefix}sheets>`;

const workbookPart = (inner: string, main: string = MAIN) =>
  `<workbook xmlns="${main}" xmlns:r="${RELATIONS}">${inner}</workbook>`;

const JANUARY_2 = { kind: "date", y: 2026, m: 1, d: 2, seconds: 0 };
const DATE_ROW = '<row r="1"><c r="A1" s="1"><v>44562</v></c></row>';

const firstRow = (workbook: Omit<MadeWorkbook, "sheets"> & { sheetXml: string }) => {
  const { sheetXml, ...rest } = workbook;
  return readWorkbook(buildXlsx({ ...rest, sheets: [{ name: "S", sheetXml }] })).sheets[0]?.rows[0]?.cells;
};

test.each([
  ["a prefix", `<x15:workbookPr xmlns:x15="${EXTENSION}" chartTrackingRefBase="1"/>`],
  ["a namespace of its own", `<workbookPr xmlns="${EXTENSION}" chartTrackingRefBase="1"/>`],
  ["the main namespace, but not as a child", "<workbookPr/>"],
])(
  "dates in a 1904 workbook count from 1904 even if an extension repeats its properties in %s",
  (_, inner) => {
    const extension = `<extLst><ext uri="{140A7094-0E35-4892-8432-C4D2E57EDEB5}">${inner}</ext></extLst>`;
    for (const main of [MAIN, STRICT]) {
      const part = workbookPart(`<workbookPr date1904="1"/>${sheetList()}${extension}`, main);
      expect(firstRow({ sheetXml: worksheet(DATE_ROW), parts: { "xl/workbook.xml": part } })).toEqual([
        JANUARY_2,
      ]);
    }
  },
);

test("an extension directly below the workbook changes nothing, whatever its name", () => {
  const foreign = `<x:workbookPr date1904="0"/><x:sheets><x:sheet name="X" sheetId="9" r:id="rId9"/></x:sheets>`;
  const part = workbookPart(`<workbookPr date1904="1"/>${foreign}${sheetList()}${foreign}`).replace(
    "<workbook ",
    `<workbook xmlns:x="${EXTENSION}" `,
  );
  expect(firstRow({ sheetXml: worksheet(DATE_ROW), parts: { "xl/workbook.xml": part } })).toEqual([
    JANUARY_2,
  ]);
});

test("cells, rows, texts and merges in an extension are not part of the sheet", () => {
  const sheet =
    `<worksheet xmlns="${MAIN}" xmlns:x="${EXTENSION}"><x:cols><x:col min="1" max="1" hidden="1"/></x:cols>` +
    '<x:sheetData><x:row r="1"><x:c r="A1"><x:v>7</x:v></x:c></x:row></x:sheetData>' +
    '<sheetData><x:row r="1"><c r="A1"><v>7</v></c></x:row><row r="2" x:hidden="1" x:r="9"><x:c r="A2"><v>7</v></x:c>' +
    '<c r="A2" x:r="C2" x:t="s"><x:v>7</x:v><v>1</v><x:f>no</x:f></c>' +
    '<c r="B2" t="inlineStr"><is><x:t>no</x:t><t>yes</t></is></c></row></sheetData>' +
    '<x:mergeCells><x:mergeCell ref="A1:B1"/></x:mergeCells><mergeCells><mergeCell ref="C2:D2"/></mergeCells></worksheet>';
  expect(readWorkbook(buildXlsx({ sheets: [{ name: "S", sheetXml: sheet }] })).sheets[0]).toMatchObject({
    rows: [{ number: 2, hidden: false, cells: [1, "yes"] }],
    hiddenColumns: [],
    merges: ["C2:D2"],
  });
});

test("shared texts, styles and names in an extension are not part of the workbook", () => {
  const strings = `<sst xmlns="${MAIN}" xmlns:x="${EXTENSION}"><x:si><x:t>no</x:t></x:si><si><x:t>no</x:t><t>yes</t></si></sst>`;
  const styles =
    `<styleSheet xmlns="${MAIN}" xmlns:x="${EXTENSION}"><x:numFmts><x:numFmt numFmtId="164" formatCode="0"/></x:numFmts>` +
    '<numFmts><numFmt numFmtId="164" formatCode="yyyy"/></numFmts><x:cellXfs><x:xf numFmtId="0"/></x:cellXfs>' +
    '<cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs>' +
    '<extLst><ext><x:numFmt numFmtId="164" formatCode="0"/></ext></extLst></styleSheet>';
  const names = `<x:definedNames xmlns:x="${EXTENSION}"><x:definedName name="n">2</x:definedName></x:definedNames>`;
  const part = workbookPart(
    `${sheetList()}<definedNames><definedName name="n">1</definedName></definedNames>${names}`,
  );
  const parts = { "xl/workbook.xml": part, "xl/sharedStrings.xml": strings, "xl/styles.xml": styles };
  const sheetXml = worksheet('<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" s="1"><v>46024</v></c></row>');
  expect(firstRow({ sheetXml, parts })).toEqual(["yes", { ...JANUARY_2 }]);
  expect([...readWorkbook(buildXlsx({ sheets: [{ name: "S", sheetXml }], parts })).names]).toEqual([
    ["n", "1"],
  ]);
});

test("the main namespace is recognized under any prefix, wherever it is declared", () => {
  const sheet =
    `<worksheet xmlns="${MAIN}" xmlns:s="${MAIN}"><s:sheetData><s:row r="1"><c r="A1"><v>1</v></c>` +
    `<n:c xmlns:n="${MAIN}" r="B1"><n:v>2</n:v></n:c><n:c r="C1"><v>no</v></n:c></s:row></s:sheetData></worksheet>`;
  expect(firstRow({ sheetXml: sheet })).toEqual([1, 2]);
  const late = `<a:workbook xmlns:a="${MAIN}" xmlns:r="${RELATIONS}">${sheetList("b:").replace("<b:sheets", `<b:sheets xmlns:b="${MAIN}"`)}</a:workbook>`;
  expect(firstRow({ sheetXml: worksheet(DATE_ROW), parts: { "xl/workbook.xml": late } })).toHaveLength(1);
});

test("a text that looks like a declaration is a text", () => {
  const text = `xmlns:x=&quot;${EXTENSION}&quot; xmlns='' `;
  const row = `<row r="1"><c r="A1" t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c><c r="B1"><v>1</v></c></row>`;
  expect(firstRow({ sheetXml: worksheet(row) })?.[1]).toBe(1);
});
