import { invoiceSheet } from "#features/invoices/workbook/rules-sheet.ts";
import { refusalReply } from "#features/sheets/sentences-refusals.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { DEFAULT_LIMITS, type Limits } from "../limits.ts";
import { readCsv } from "./read-csv.ts";
import { FileRefused } from "../facts.ts";

const LIMITS: Limits = {
  ...DEFAULT_LIMITS,
  maxRows: 100,
  maxColumns: 10,
  extraColumns: 0,
  maxCells: 500,
  maxTextLength: 1000,
};

const readRows = (text: string | Uint8Array, limits: Partial<Limits> = {}) =>
  readCsv(typeof text === "string" ? Buffer.from(text) : text, { ...LIMITS, ...limits });

const readCells = (text: string | Uint8Array) => readRows(text).map(({ cells }) => cells);

function refusal(text: string | Uint8Array, limits: Partial<Limits> = {}): string {
  try {
    readRows(text, limits);
  } catch (error) {
    if (error instanceof FileRefused) return `${error.code}: ${refusalReply(invoiceSheet, error).detail}`;
    throw error;
  }
  return "";
}

test("a text protected from being read as a number is the text that a spreadsheet shows", () => {
  expect(readCells('No,Name\n="00123","=""0012"""\n="a",="b"c\n=1+1,"=""x"')).toEqual([
    ["No", "Name"],
    ["00123", "0012"],
    ["a", '="b"c'],
    ["=1+1", '="x'],
  ]);
});

test("commas, semicolons or tabs separate, whichever the file uses", () => {
  const table = [
    ["No", "Customer", "Amount"],
    ["1", "Smith, Sons; Co", "1,50"],
  ];
  for (const separator of [",", ";", "\t"]) {
    const text = table.map((row) => row.map((cell) => `"${cell}"`).join(separator)).join("\r\n");
    expect(readCells(text)).toEqual(table);
  }
  expect(readCells("a;b;c\n1,5;2,5;3,5\n")).toEqual([
    ["a", "b", "c"],
    ["1,5", "2,5", "3,5"],
  ]);
  expect(readCells("sep=;\na;b,c\n")).toEqual([["a", "b,c"]]);
  expect(readCells("one column\nonly, a comma")).toEqual([["one column"], ["only", " a comma"]]);
});

test("quoted values hold separators, quotation marks and line breaks, and rows count as a spreadsheet shows them", () => {
  expect(readRows('a,b\r\n"x\r\ny","say ""hi"""\n\n,,\n"5"" pipe",6" pipe\r"z"z,\n')).toEqual([
    { number: 1, cells: ["a", "b"] },
    { number: 2, cells: ["x\r\ny", 'say "hi"'] },
    { number: 5, cells: ['5" pipe', '6" pipe'] },
    { number: 6, cells: ["zz"] },
  ]);
});

test("UTF-8, UTF-16 and Windows-1252 are recognized by their content", () => {
  const text = "Customer,Amount\nCafé “Größe”,1\n";
  const expected = [
    ["Customer", "Amount"],
    ["Café “Größe”", "1"],
  ];
  const le = Buffer.from(text, "utf16le");
  expect(readCells(text)).toEqual(expected);
  expect(readCells(`\uFEFF${text}`)).toEqual(expected);
  expect(readCells(le)).toEqual(expected);
  expect(readCells(Buffer.concat([Buffer.from([0xff, 0xfe]), le]))).toEqual(expected);
  expect(readCells(Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(le).swap16()]))).toEqual(expected);
  expect(readCells(Buffer.from(le).swap16())).toEqual(expected);
  const ansi = Buffer.from("Customer,Amount\nCaf\xE9 \x93Gr\xF6\xDFe\x94,1\n", "latin1");
  expect(readCells(ansi)).toEqual(expected);
});

test("what is not a text table, or is too large, is refused with its fix", () => {
  expect(refusal("")).toMatch(/^empty_file: The selected file is empty/);
  expect(refusal(" \n\n")).toMatch(/^empty_file/);
  expect(refusal(Buffer.from([1, 2, 3, 0, 0, 0, 4, 5]))).toMatch(/^not_text: .*aren't text\. Save it again/);
  expect(refusal('a,b\n1,"2\n3,4\n')).toMatch(/^quote_not_closed: Row 2 .* never closed\. Close it/);
  expect(refusal("a\n".repeat(101))).toMatch(/^too_many_rows: .* more than 100 rows .* Split it/);
  expect(refusal("a,".repeat(11))).toMatch(/^too_many_columns: .* more than 10 columns/);
  expect(refusal("a,b\n".repeat(60), { maxCells: 100 })).toMatch(/^too_many_cells: .* more than 100 cells/);
  expect(refusal(`"${"x".repeat(1001)}",b`)).toMatch(/^text_too_long: Row 1 .* 1,000 characters/);
  expect(readCells(`a,b${",".repeat(100)}\n`)).toEqual([["a", "b"]]);
});

test("refusing a file of quotation marks costs about as much as a file of letters", () => {
  const cost = (character: string) => {
    const file = Buffer.alloc(24 * 1024 * 1024, character);
    const before = process.cpuUsage();
    expect(refusal(file)).toMatch(/^(text_too_long|quote_not_closed): Row 1 /);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  const letters = Math.min(cost("a"), cost("a"));
  expect(Math.min(cost('"'), cost('"'))).toBeLessThan(3 * letters);
  expect(Math.min(cost('""a'), cost('""a'))).toBeLessThan(3 * letters);
});

test("one control character in a text table is reported with its row, wherever it is", () => {
  const rows = Array.from(
    { length: 90 },
    (_, index) => `${index},"two\nlines of a text that is long enough"`,
  );
  for (const [character, name] of [
    ["\0", "NUL, U+0000"],
    ["\u0001", "U+0001"],
    ["\u001b", "U+001B"],
  ]) {
    const file = rows.with(80, `80,a${character}b`).join("\n");
    expect(refusal(file)).toBe(
      `control_character: Row 81 of the selected file holds a control character (${name}), which isn't text. Remove it, or type the value again, and upload the file again.`,
    );
    expect(refusal(`a${character},b\n1,2\n`)).toMatch(/^control_character: Row 1 /);
  }
  expect(refusal("a,b\n".repeat(90) + '"\u0001')).toMatch(/^quote_not_closed: Row 91 /);
});

test("the mark with which old programs end a file is not a value", () => {
  const expected = [
    ["a", "b"],
    ["1", "2"],
  ];
  for (const end of ["\u001a", "\r\n\u001a", "\n\u001a\u001a\u001a\r\n"])
    expect(readCells(`a,b\n1,2${end}`)).toEqual(expected);
  expect(refusal("\u001a")).toMatch(/^empty_file/);
});

test("text separated by vertical bars is a table", () => {
  expect(readCells("No|Customer|Amount\n1|Smith, Sons|2.50\n")).toEqual([
    ["No", "Customer", "Amount"],
    ["1", "Smith, Sons", "2.50"],
  ]);
  expect(readCells("No,Note\n1,a|b|c\n")).toEqual([
    ["No", "Note"],
    ["1", "a|b|c"],
  ]);
});

test("a web page named like a CSV file is refused with a way out", () => {
  for (const page of ["<html><body><table><tr><td>No", "\uFEFF \n<!DOCTYPE html>\n<html>", "<TABLE><tr>"])
    expect(refusal(page)).toBe(
      "web_page: The selected file is a web page (HTML), not a CSV file. Open it in Excel, choose File > Save As > Excel Workbook (*.xlsx), and upload that file.",
    );
  expect(readCells("<b>No</b>,2\n")).toEqual([["<b>No</b>", "2"]]);
});

test("every text written by the rules is read back", () => {
  const cell = fc
    .string({ unit: "grapheme", maxLength: 12 })
    .map((text) => text.replaceAll(/[\0-\x08\x0e-\x1f]/g, ""));
  const table = fc.array(fc.tuple(fc.constant("k"), cell, cell, fc.constant("e")), {
    minLength: 1,
    maxLength: 20,
  });
  fc.assert(
    fc.property(table, fc.constantFrom(",", ";", "\t"), (rows, separator) => {
      const text = rows
        .map((row) => row.map((each) => `"${each.replaceAll('"', '""')}"`).join(separator))
        .join("\r\n");
      const expected = rows.map((row) => row.map((each) => (each === "" ? undefined : each)));
      expect(readCells(`sep=${separator}\r\n${text}`)).toEqual(expected);
    }),
  );
});

test("typographic marks of Excel for Mac are read as such, and capitals with accents of Windows too", () => {
  const decode = (...parts: (string | number)[]) =>
    readCells(
      Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.of(part)))),
    );
  expect(decode("Ann", 0xd5, "s,3", 0xd0, "5 ft", 0xd1, "2", 0xd3)).toEqual([["Ann’s", "3–5 ft—2”"]]);
  expect(decode("Caf", 0x8e, ",Ann", 0xd5, "s")).toEqual([["Café", "Ann’s"]]);
  expect(decode("ESPA", 0xd1, "A,", 0xd3, "scar,A", 0xc7, 0xd5, "ES,Le", 0xf3, "n")).toEqual([
    ["ESPAÑA", "Óscar", "AÇÕES", "León"],
  ]);
  expect(decode("Ann", 0x92, "s,e", 0xd5, "s")).toEqual([["Ann’s", "eÕs"]]);
});
