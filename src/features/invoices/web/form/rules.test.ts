import { faultKey, findFaults, keepUnposted } from "#features/invoices/web/form/rules-faults.ts";
import {
  addRows,
  emptyGrid,
  gridToCsv,
  HEADERS,
  isEmptyGrid,
  MAX_ROWS,
  pasteCells,
  readPasted,
  setCell,
} from "#features/invoices/web/form/rules.ts";
import fc from "fast-check";
import { expect, test } from "vitest";

const at = (row: number, column: number) => ({ row, column });
const HEAD =
  '"Invoice No","Customer","Invoice Date","Terms","Item","Description","Qty","Rate","Amount","Customer Memo"';

test("cells copied from a spreadsheet are read, including quotation marks, tabs and line breaks in them", () => {
  expect(readPasted("a\tb\r\nc\td\r\n")).toEqual([
    ["a", "b"],
    ["c", "d"],
  ]);
  expect(readPasted('"two\nlines"\t"say ""hi"""\t5" pipe\n\t\tx')).toEqual([
    ["two\nlines", 'say "hi"', '5" pipe'],
    ["", "", "x"],
  ]);
  expect(readPasted("alone")).toEqual([["alone"]]);
  expect(readPasted("")).toEqual([[""]]);
});

test("pasted cells fill the grid to the right and down, adding rows as needed", () => {
  const { grid, put, leftOut } = pasteCells(emptyGrid(2), at(1, 1), [
    ["Acme", "2027-01-02"],
    ["Beta", "2027-01-03"],
  ]);
  expect(grid.map((row) => row.slice(0, 3))).toEqual([
    ["", "", ""],
    ["", "Acme", "2027-01-02"],
    ["", "Beta", "2027-01-03"],
  ]);
  expect([put, leftOut]).toEqual([2, 0]);
});

test("a pasted row of the form's own headers determines the columns", () => {
  const { grid, put } = pasteCells(emptyGrid(1), at(0, 4), [
    ["Amount", "customer"],
    ["5", "Acme"],
  ]);
  expect([grid[0]?.[8], grid[0]?.[1], grid[0]?.[4], put]).toEqual(["5", "Acme", "", 1]);
});

test("rows whose first cells happen to include one header of the form, or a lone row, are pasted as they are", () => {
  const item = [["Item"], ["5"]];
  expect(pasteCells(emptyGrid(2), at(0, 4), item).grid.map((row) => row[4])).toEqual(["Item", "5"]);
  expect(pasteCells(emptyGrid(1), at(0, 4), [["Item", "Description"]]).put).toBe(1);
});

test("a row in which only half the cells are headers of the form is data, and none of it is lost", () => {
  const rows = [
    ["Item", "Description", "Acme", "5"],
    ["Claw Hammer", "steel", "Beta", "6"],
  ];
  const { grid, put } = pasteCells(emptyGrid(2), at(0, 0), rows);
  expect([grid.map((row) => row.slice(0, 4)), put]).toEqual([rows, 2]);
});

test("every pasted text is in the grid, is a header, or is below a header reported as unknown", () => {
  const words = fc.oneof(
    fc.constantFrom("Item", "customer", " QTY ", "Rate"),
    fc.constantFrom("", "5", "Acme"),
  );
  const rows = fc.array(fc.array(words, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(rows, (drawn) => {
      const pasted = drawn.map((row, line) =>
        row.map((text, index) => (line === 0 ? text : `${text} ${line}${index}`)),
      );
      const { grid, put, unknown } = pasteCells(emptyGrid(1), at(0, 0), pasted);
      const [first = [], ...below] = pasted;
      const known = new Set(
        first.map((text) =>
          HEADERS.findIndex((header) => header.toLowerCase() === text.trim().toLowerCase()),
        ),
      );
      known.delete(-1);
      expect([pasted.length, pasted.length - 1]).toContain(put);
      if (put === pasted.length) {
        expect(grid.map((cells, row) => cells.slice(0, pasted[row]?.length))).toEqual(pasted);
        return;
      }
      expect(known.size).toBeGreaterThan(1);
      const texts = new Set(grid.flat());
      const missing = first.filter(
        (header, index) =>
          header.trim() !== "" && below.some((row) => row[index] !== undefined && !texts.has(row[index])),
      );
      expect(unknown).toEqual(expect.arrayContaining(missing));
    }),
  );
});

test("at most 500 rows fit, and the number of rows left out is known", () => {
  const lines = Array.from({ length: 510 }, (_, row) => [String(row)]);
  const { grid, put, leftOut } = pasteCells(emptyGrid(), at(5, 0), lines);
  expect([grid.length, put, leftOut]).toEqual([MAX_ROWS, 495, 15]);
  expect(addRows(grid, 10)).toHaveLength(MAX_ROWS);
});

test("the file has the template's headers and every row in its place, with the empty ones between", () => {
  const grid = setCell(setCell(emptyGrid(5), at(0, 1), 'Smith, "Sons"'), at(2, 8), "1,5");
  expect(gridToCsv(grid).split("\r\n")).toEqual([
    HEAD,
    '"","Smith, ""Sons""","","","","","","","",""',
    '"","","","","","","","","",""',
    '"","","","","","","","","1,5",""',
  ]);
  expect([isEmptyGrid(emptyGrid()), isEmptyGrid(grid)]).toEqual([true, false]);
});

const fault = (column: number, message: string) => ({ code: "any", field: null, column, message });
const sent = [
  ["1", "Acme", "", "", "", "", "", "", "5", ""],
  ["2", "Nobody", "", "", "", "", "", "", "x", ""],
  ["3", "Beta", "", "", "", "", "", "", "7", ""],
];
const results = [
  { status: 0, rows: "2", message: "1 invoice posted." },
  {
    status: 2,
    rows: "3",
    message: 'B3: "Nobody" is unknown.\nI3: "x" is not an amount.\nTwo lines.',
    problems: [fault(1, '"Nobody" is unknown.'), fault(8, '"x" is not an amount.')],
  },
  { status: 2, rows: "4", message: "Not posted: row 3 has an error." },
];

test("a problem of one cell, or of each cell in a range, is found at the grid's cell", () => {
  expect([...findFaults(sent, results)]).toEqual([
    [faultKey(1, 1), { message: '"Nobody" is unknown.', text: "Nobody" }],
    [faultKey(1, 8), { message: '"x" is not an amount.', text: "x" }],
  ]);
  const range = { status: 2, rows: "2-4", message: "B2-B4: Unknown.", problems: [fault(1, "Unknown.")] };
  expect([...findFaults(sent, [range]).keys()]).toEqual([faultKey(0, 1), faultKey(1, 1), faultKey(2, 1)]);
});

test("once the rest is posted only rows with problems stay, with their problems", () => {
  const { grid, faults } = keepUnposted({ sent, current: sent, results });
  expect(grid.map(([number]) => number)).toEqual(["2", "3"]);
  expect([...faults.keys()]).toEqual([faultKey(0, 1), faultKey(0, 8)]);
});

test("a row that was changed or added after it was sent is not lost", () => {
  const changed = setCell(sent, at(0, 8), "6");
  const current = setCell(addRows(changed, 2), at(4, 1), "New");
  const { grid } = keepUnposted({ sent, current, results });
  expect(grid.map(([number, customer]) => [number, customer])).toEqual([
    ["1", "Acme"],
    ["2", "Nobody"],
    ["3", "Beta"],
    ["", ""],
    ["", "New"],
  ]);
});

test("once the rest is posted two invoices without numbers stay separate, and are sent as two", () => {
  const line = (customer: string) => ["", customer, "2026-03-01", "", "", "", "", "", "5", ""];
  const typed = ["Nobody", "Acme", "Nobody", "Nobody"].map(line);
  const results = [
    { status: 2, rows: "2", message: 'B2: "Nobody" is unknown.', problems: [fault(1, "Unknown.")] },
    { status: 0, rows: "3", message: "1 invoice posted." },
    { status: 2, rows: "4", message: 'B4: "Nobody" is unknown.', problems: [fault(1, "Unknown.")] },
    { status: 2, rows: "5", message: "Not posted: row 4 has an error." },
  ];
  const { grid, faults } = keepUnposted({ sent: typed, current: typed, results });
  expect(grid.map(([, customer]) => customer)).toEqual(["Nobody", "", "Nobody", "Nobody"]);
  expect([...faults.keys()]).toEqual([faultKey(0, 1), faultKey(2, 1)]);
  const groups = gridToCsv(grid)
    .split("\r\n")
    .map((row) => row.split(",").at(-1));
  expect(groups).toEqual(['"Group"', '""', '""', '"Row 4"', '""']);
});

test("a line without a customer below an empty row belongs to the invoice above", () => {
  const grid = setCell(setCell(setCell(emptyGrid(5), at(0, 1), "Acme"), at(2, 8), "5"), at(4, 0), "7");
  expect(gridToCsv(grid)).not.toContain("Group");
});
