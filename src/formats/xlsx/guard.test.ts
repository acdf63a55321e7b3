import { invoiceSheet } from "#features/invoices/workbook/rules-sheet.ts";
import { refusalReply } from "#features/sheets/sentences-refusals.ts";
import { expect, test } from "vitest";
import { buildXlsx, xlsxParts } from "./fixtures/build-xlsx.ts";
import { buildZip } from "./fixtures/build-zip.ts";
import { compound, withPassword } from "./fixtures/compound.ts";
import { HEAVY_FILES, HOSTILE_FILES } from "./fixtures/hostile.ts";
import { readWorkbook } from "./read-workbook.ts";
import { FileRefused } from "../facts.ts";

const WORKBOOK = { sheets: [{ name: "Invoices", rows: [["Invoice No", 7]] }] };

/** The refusal of a whole file, or of its only sheet. */
function catchRefusal(bytes: Uint8Array): FileRefused | null {
  try {
    return readWorkbook(bytes).sheets[0]?.refused ?? null;
  } catch (error) {
    if (error instanceof FileRefused) return error;
    throw error;
  }
}

test.each(HOSTILE_FILES)("a hostile file is refused: $title", ({ bytes, code }) => {
  const file = bytes();
  const before = process.memoryUsage();
  const refusal = catchRefusal(file);
  const after = process.memoryUsage();
  expect(refusal?.code).toBe(code);
  expect(refusal && refusalReply(invoiceSheet, refusal).detail).toMatch(/^[A-Z].*\.$/);
  expect(after.arrayBuffers + after.heapUsed - before.arrayBuffers - before.heapUsed).toBeLessThan(
    60 * 1024 * 1024,
  );
});

test.each(HEAVY_FILES)("a file made to be slow is refused within seconds: $title", ({ bytes, code }) => {
  const file = bytes();
  const before = process.cpuUsage();
  expect(catchRefusal(file)?.code).toBe(code);
  expect(process.cpuUsage(before).user).toBeLessThan(5_000_000);
});

test.each<[string, () => Uint8Array, string, RegExp]>([
  ["an empty file", () => new Uint8Array(), "empty_file", /^The selected file is empty\./],
  [
    "an .xls",
    () => compound("Workbook"),
    "old_excel",
    /Excel 97-2003 file \(\.xls\)\. In Excel choose File > Save As/,
  ],
  ["an old Word file", () => compound("WordDocument"), "not_xlsx", /older Office document/],
  ["a password-protected workbook", withPassword, "encrypted", /^The selected file is password protected\./],
  ["a CSV", () => Buffer.from("Invoice No,Customer\n1,Acme\n"), "not_xlsx", /It is a CSV or text file\./],
  [
    "a CSV in UTF-16",
    () => Buffer.from("\uFEFFInvoice No\tCustomer\n", "utf16le"),
    "not_xlsx",
    /It is a CSV or text file\./,
  ],
  [
    "a CSV in UTF-16BE without a mark",
    () => Buffer.from("Invoice No,Customer\n", "utf16le").swap16(),
    "not_xlsx",
    /It is a CSV or text file\./,
  ],
  [
    "text separated by vertical bars",
    () => Buffer.from("Invoice No|Customer\n"),
    "not_xlsx",
    /It is a CSV or text file\./,
  ],
  [
    "an Excel 4 macro sheet",
    () => {
      const type = "application/vnd.ms-excel.macrosheet+xml";
      const types = `<Types><Override PartName="/xl/macrosheets/sheet1.xml" ContentType="${type}"/></Types>`;
      return buildXlsx({ ...WORKBOOK, parts: { "[Content_Types].xml": types } });
    },
    "macros",
    /contains macros/,
  ],
  [
    "a web page named .xlsx",
    () => Buffer.from("<html><table><tr><td>1"),
    "not_xlsx",
    /It is a web page \(HTML\)\./,
  ],
  [
    "Excel 2003 XML",
    () => Buffer.from('<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet">'),
    "not_xlsx",
    /Excel 2003 XML/,
  ],
  ["a PNG", () => Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]), "not_xlsx", /It is a PNG picture\./],
  ["a JPEG", () => Buffer.from([0xff, 0xd8, 0xff, 0xe0]), "not_xlsx", /It is a JPEG picture\./],
  ["a PDF", () => Buffer.from("%PDF-1.7\n"), "not_xlsx", /It is a PDF document\./],
  ["random bytes", () => Buffer.from([1, 2, 3, 4, 5, 0, 1]), "not_xlsx", /It is of an unknown kind\./],
  [
    "an .xlsb",
    () =>
      buildZip([
        { name: "[Content_Types].xml", data: "" },
        { name: "xl/workbook.bin", data: "" },
      ]),
    "binary_excel",
    /\(\.xlsb\)/,
  ],
  [
    "a macro workbook renamed",
    () => buildXlsx({ ...WORKBOOK, parts: { "xl/vbaProject.bin": "x" } }),
    "macros",
    /contains macros/,
  ],
  [
    "an .ods",
    () =>
      buildZip([
        { name: "mimetype", data: "application/vnd.oasis.opendocument.spreadsheet", method: 0 },
        { name: "content.xml", data: "" },
      ]),
    "open_document",
    /\(\.ods\)/,
  ],
  [
    "a .docx",
    () =>
      buildZip([
        { name: "[Content_Types].xml", data: "" },
        { name: "word/document.xml", data: "" },
      ]),
    "not_xlsx",
    /a Word document/,
  ],
  [
    "any other ZIP",
    () => buildZip([{ name: "notes.txt", data: "hello" }]),
    "not_xlsx",
    /an archive without a workbook/,
  ],
  ["an empty ZIP", () => buildZip([]), "not_xlsx", /an empty archive/],
])("UP-24 %s is refused with its cause and a fix", (_, bytes, code, message) => {
  const refusal = catchRefusal(bytes());
  expect(refusal?.code).toBe(code);
  expect(refusal && refusalReply(invoiceSheet, refusal).detail).toMatch(message);
});

test.each([
  [
    "ZIP64 records",
    () =>
      buildZip(
        xlsxParts(WORKBOOK).map((part) => ({ ...part, zip64: true })),
        { zip64: true },
      ),
  ],
  [
    "data descriptors",
    () => buildZip(xlsxParts(WORKBOOK).map((part) => ({ ...part, dataDescriptor: true }))),
  ],
  ["stored parts", () => buildZip(xlsxParts(WORKBOOK).map((part) => ({ ...part, method: 0 as const })))],
  ["an archive comment", () => buildZip(xlsxParts(WORKBOOK), { comment: "made by hand" })],
  [
    "part names with backslashes",
    () => buildZip(xlsxParts(WORKBOOK).map((part) => ({ ...part, name: part.name.replaceAll("/", "\\") }))),
  ],
  [
    "links with backslashes",
    () =>
      buildZip(
        xlsxParts(WORKBOOK).map(({ name, data }) => ({
          name,
          data: name.endsWith(".rels") ? String(data).replace(/Target="(\w+)\//g, 'Target="$1\\') : data,
        })),
      ),
  ],
  [
    "an embedded archive that unpacks to 200 MB, which is never read",
    () =>
      buildZip([
        ...xlsxParts(WORKBOOK),
        { name: "xl/embeddings/package1.zip", data: "x", forgedSize: 200 * 1024 * 1024 },
        { name: "xl/media/movie.bin", data: "", method: 14 },
      ]),
  ],
  [
    "2,000 parts",
    () => {
      const parts = xlsxParts(WORKBOOK);
      const more = Array.from({ length: 2000 - parts.length }, (_, index) => ({
        name: `xl/printerSettings/printerSettings${index}.bin`,
        data: "x",
      }));
      return buildZip([...parts, ...more]);
    },
  ],
  [
    "part names in other case",
    () => buildZip(xlsxParts(WORKBOOK).map((part) => ({ ...part, name: part.name.replace("xl/w", "xl/W") }))),
  ],
])("an honest archive with %s is read", (_, bytes) => {
  expect(readWorkbook(bytes()).sheets[0]?.rows[0]?.cells).toEqual(["Invoice No", 7]);
});

test("a view into a larger buffer is read on its own", () => {
  const file = buildXlsx(WORKBOOK);
  const larger = new Uint8Array(file.length + 64);
  larger.set(file, 17);
  expect(readWorkbook(larger.subarray(17, 17 + file.length)).sheets[0]?.rows[0]?.cells).toEqual([
    "Invoice No",
    7,
  ]);
});
