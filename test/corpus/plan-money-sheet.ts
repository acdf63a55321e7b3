import { FileRefused, listParam, textParam } from "#formats/facts.ts";
import { ACME, planInvoices } from "#features/invoices/fixtures/plan-rows.ts";
import type { Plan, PlanLists } from "#features/invoices/plan/rules.ts";
import { type Field, findTable, invoiceSheet } from "#features/invoices/workbook/rules-sheet.ts";
import { openFile } from "#features/sheets/reading.ts";
import { refusalReply } from "#features/sheets/sentences-refusals.ts";
import { MADE_NAMES, type MoneySheet, type Names } from "./money-sheets.ts";

export type Answer = Field | "ignore";
type Refused = { code: string; sentence: string; headers: string[] };
export type Outcome = { refused: Refused } | { plan: Plan };

/** Plans a sheet by the rules alone, for a company that has all its names, and items called like its columns. */
export function planMoneySheet(
  sheet: MoneySheet,
  answers: ReadonlyMap<string, string>,
  names: Names = MADE_NAMES,
): Outcome {
  try {
    return { plan: planInvoices(findTable(openOnce(sheet), answers), listsFor(sheet, names)) };
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    const headers = [...listParam(error.params, "headers"), textParam(error.params, "header")];
    const sentence = refusalReply(invoiceSheet, error).detail;
    return { refused: { code: error.code, sentence, headers: headers.filter(Boolean) } };
  }
}

const opened = new WeakMap<MoneySheet, ReturnType<typeof openFile>>();

/** Each sheet is planned several times. */
function openOnce(sheet: MoneySheet) {
  const workbook = opened.get(sheet) ?? openFile(sheet.bytes, sheet.fileName);
  opened.set(sheet, workbook);
  return workbook;
}

function listsFor({ columns, seed }: MoneySheet, { customers, items }: Names): PlanLists {
  const entry = (name: string, id: number) => ({ id: String(id), name, fullName: name, active: true });
  const names = [...items, ...columns.map(({ header }) => header)];
  return {
    ...ACME,
    allowed: { discount: seed % 2 === 0, shipping: seed % 3 > 0, deposit: true },
    customers: customers.map(entry),
    items: names.map((name, id) => ({ ...entry(name, id), type: "Service" })),
  };
}
