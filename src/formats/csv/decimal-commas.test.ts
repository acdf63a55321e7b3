import { expect, test } from "vitest";
import { readDecimalCommas } from "./decimal-commas.ts";

const read = (...lines: (string | undefined)[][]) =>
  readDecimalCommas(lines.map((cells, at) => ({ number: at + 1, cells }))).map(({ cells }) => cells);

test("numbers with decimal commas are written with points, in columns that have nothing else", () => {
  expect(read(["Rate", "Item"], ["1.219,95", "Oil, 5,25 qt"], ["2", "A 1,5"], ["-0,5", undefined])).toEqual([
    ["Rate", "Item"],
    ["1219.95", "Oil, 5,25 qt"],
    ["2", "A 1,5"],
    ["-0.5", undefined],
  ]);
});

test("numbers that may have thousands behind their comma stay, and so do those of a file with decimal points", () => {
  expect(read(["Rate"], ["1,234"], ["5"])).toEqual([["Rate"], ["1,234"], ["5"]]);
  expect(read(["Rate", "Qty"], ["1,25", "2.5"])).toEqual([
    ["Rate", "Qty"],
    ["1,25", "2.5"],
  ]);
});

test("a description or a note stays as it was written, also where each one is a number", () => {
  for (const header of [
    "Description",
    "Item Desc.",
    "Memo",
    "Customer note",
    "Comments",
    "Details",
    "Beschreibung",
  ])
    expect(read(["Rate", header], ["19,95", "0,75"], ["2,5", "1,5"])).toEqual([
      ["Rate", header],
      ["19.95", "0,75"],
      ["2.5", "1,5"],
    ]);
  const discount = read(["Rate", "Descuento"], ["19,95", "0,75"], ["2,5", "1,5"]);
  expect(discount.slice(1)).toEqual([
    ["19.95", "0.75"],
    ["2.5", "1.5"],
  ]);
});
