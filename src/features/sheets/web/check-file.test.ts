import { refusalOf } from "#features/sheets/web/check-file.ts";
import { XLSX_MEDIA_TYPE } from "#features/sheets/contract.ts";
import { expect, test } from "vitest";

const file = (more: object) => ({ name: "march.xlsx", type: XLSX_MEDIA_TYPE, size: 1000, ...more });

test("UP-11 a file of another type is refused, whatever it is called", () => {
  const sentence = "The selected file must be an XLSX spreadsheet.";
  expect(refusalOf(file({ name: "notes.txt", type: "text/plain" }))).toBe(sentence);
  expect(refusalOf(file({ type: "text/plain" }))).toBe(sentence);
  expect(refusalOf(file({ name: "march.xls", type: "" }))).toBe(sentence);
});

test("UP-11 a file whose type the system does not know is taken by its name", () => {
  expect(refusalOf(file({ name: "MARCH.XLSX", type: "" }))).toBeNull();
  expect(refusalOf(file({}))).toBeNull();
});

test("UP-24 an empty file and one over 25 MiB are refused with their own sentences", () => {
  expect(refusalOf(file({ size: 0 }))).toBe("The selected file is empty.");
  expect(refusalOf(file({ size: 25 * 1024 * 1024 + 1 }))).toBe(
    "The selected file must be smaller than 25 MB.",
  );
  expect(refusalOf(file({ size: 25 * 1024 * 1024 }))).toBeNull();
});
