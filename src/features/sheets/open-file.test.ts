import { expect, test } from "vitest";
import { buildXlsx } from "#formats/xlsx/fixtures/build-xlsx.ts";
import { ACME, refusalText, sentences, planInvoices } from "#features/invoices/fixtures/plan-rows.ts";
import { openFile } from "#features/sheets/open-file.ts";
import { findTable } from "#features/invoices/workbook/rules-sheet.ts";

const CSV = `Invoice No;Customer;Invoice Date;Item;Qty;Rate;Amount
00017;Beta LLC;1/15/2026;W-009;"1,000";9;$9,000.00
00018;"Beta
Ltd";2026-01-16;Widget 9;2;9;19
`;

const readTable = (text: string, fileName?: string) => findTable(openFile(Buffer.from(text), fileName));
const planText = (text: string, fileName?: string) => planInvoices(readTable(text, fileName), ACME);

const refusal = (bytes: Uint8Array, fileName?: string) => refusalText(() => openFile(bytes, fileName));

test("a CSV file is checked by the same rules, with cells named as in a spreadsheet", () => {
  const plan = planText(CSV, "march.csv");
  expect(readTable(CSV, "march.csv").sheet).toBe("CSV");
  expect(plan.dataRows).toBe(2);
  expect(plan.invoices[0]).toMatchObject({ docNumber: "00017", amountCents: 900_000, rows: [2] });
  expect(sentences(plan)).toEqual([
    expect.stringMatching(/^B3: "Beta Ltd" isn't a customer/),
    "G3: 2 × $9.00 is $18.00, not $19.00.",
  ]);
});

test("with rates that have a decimal comma, a quantity of 1,250 or 1.250 raises a question instead of a guess", () => {
  const headers = "Invoice No;Customer;Invoice Date;Item;Qty;Rate";
  const written = (qty: string) =>
    planText(`${headers}\n1;Beta LLC;2026-01-20;Widget 9;${qty};12,50\n`, "kilos.csv");
  for (const qty of ["1,250", "1.250", '"€ 1,250"'])
    expect(sentences(written(qty))).toEqual([
      "E2: This could be 1250 or 1.250.",
      "F2: Use a decimal point: 12.50.",
    ]);
  expect(written("1,25").invoices[0]?.amountCents).toBe(1563);
});

test("cells pasted from a spreadsheet are read as tab-separated text", () => {
  const pasted = CSV.replaceAll(";", "\t");
  expect(planText(pasted, "pasted.csv").invoices[0]).toMatchObject({
    docNumber: "00017",
    amountCents: 900_000,
  });
});

test("errors of Excel in a CSV file hold their rows back, as in a workbook, and are no blanks, names or numbers", () => {
  const written = (...rows: string[]) => {
    const text = ["Invoice No,Customer,Invoice Date,Item,Qty,Rate,Shipping,Description", ...rows].join("\n");
    const { invoices } = planText(text, "march.csv");
    return invoices.map(({ rows: own, draft, problems }) => [
      own,
      draft === null,
      problems.map(({ code }) => code),
    ]);
  };
  for (const error of [
    "#N/A",
    "#REF!",
    "#VALUE!",
    "#DIV/0!",
    "#NAME?",
    "#NUM!",
    "#NULL!",
    "#SPILL!",
    "#CALC!",
  ]) {
    expect(written(`1,Beta LLC,2026-01-20,Widget 9,2,${error},,`)).toEqual([[[2], true, ["formula_error"]]]);
    expect(written(`1,Beta LLC,2026-01-20,Widget 9,2,9,${error},`)).toEqual([[[2], true, ["formula_error"]]]);
    expect(written(`1,Beta LLC,2026-01-20,Widget 9,2,9,,${error}`)).toEqual([[[2], true, ["formula_error"]]]);
  }
  // Not joined with the invoice above, and no number.
  const rows = ["1,Beta LLC,2026-01-20,Widget 9,2,9,,", "#REF!,Beta LLC,2026-01-20,Widget 9,3,9,,"];
  expect(
    written(...rows, "#REF!,Beta LLC,2026-01-20,Widget 9,4,9,,").map(([own, isHeld]) => [own, isHeld]),
  ).toEqual([
    [[2], false],
    [[3, 4], true],
  ]);
  expect(written("1,Beta LLC,2026-01-20,Widget 9,2,9,,#N/A item")[0]?.[1]).toBe(false);
});

test("UP-24 a CSV file renamed to .xlsx is refused with instructions, and a workbook named .csv is read", () => {
  expect(refusal(Buffer.from(CSV), "march.xlsx")).toBe(
    "The selected file must be an XLSX spreadsheet. It is a CSV or text file. In Excel choose File > Save As > Excel Workbook (*.xlsx) and upload that file.",
  );
  const workbook = buildXlsx({ sheets: [{ name: "March", rows: [["a", "b"]] }] });
  expect(openFile(workbook, "march.csv").sheets[0]?.name).toBe("March");
  expect(refusal(Buffer.from("%PDF-1.7 …"), "march.csv")).toContain("It is a PDF document.");
  expect(refusal(Buffer.from([0, 1, 2, 3, 4, 5, 6, 7]), "march.csv")).toContain(
    "it holds bytes that aren't text",
  );
  expect(openFile(Buffer.from(CSV)).sheets[0]?.rows).toHaveLength(3);
});
