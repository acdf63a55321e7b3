import { checkFile } from "#features/sheets/web/check-file.ts";
import { XLSX_MEDIA_TYPE } from "#features/sheets/contract.ts";
import { expect, test } from "vitest";

const file = (more: object) => ({ name: "march.xlsx", type: XLSX_MEDIA_TYPE, size: 1000, ...more });

test("UP-11 a file of another type is refused regardless of its name", () => {
  const sentence = "The selected file must be an XLSX spreadsheet.";
  expect(checkFile(file({ name: "notes.txt", type: "text/plain" }))).toBe(sentence);
  expect(checkFile(file({ type: "text/plain" }))).toBe(sentence);
  expect(checkFile(file({ name: "march.xls", type: "" }))).toBe(`${sentence} Save it as .xlsx.`);
});

test("UP-11 a file of a type unknown to the system is accepted by its name", () => {
  expect(checkFile(file({ name: "MARCH.XLSX", type: "" }))).toBeNull();
  expect(checkFile(file({}))).toBeNull();
});

test("UP-24 an empty file and a file over 25 MiB are refused with their own sentences", () => {
  expect(checkFile(file({ size: 0 }))).toBe("The selected file is empty.");
  expect(checkFile(file({ size: 25 * 1024 * 1024 + 1 }))).toBe(
    "The selected file must be smaller than 25 MB.",
  );
  expect(checkFile(file({ size: 25 * 1024 * 1024 }))).toBeNull();
});
