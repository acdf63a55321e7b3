import { readFileSync } from "node:fs";
import { join } from "node:path";
import { FileRefused, listParam, textParam } from "#formats/facts.ts";
import { headerKey } from "#formats/table/header-text.ts";
import { ACME, planInvoices } from "#features/invoices/fixtures/plan-rows.ts";
import type { Plan, PlanLists } from "#features/invoices/plan/rules.ts";
import { type Field, findTable, type Table } from "#features/invoices/workbook/rules-sheet.ts";
import { PROFILES } from "#features/labels/profiles/profiles.ts";
import { run as readLabels } from "#features/labels/read-sheet/read-sheet.ts";
import { openFile } from "#features/sheets/reading.ts";

/** By header, or by the key of a value: whether its rows are billed. */
export type Answers = Record<string, Field | "ignore" | "billed" | "left_out">;

export const readCase = (file: string): Uint8Array => readFileSync(join(import.meta.dirname, "cases", file));

/** Plans a file of `cases/` for a company that has all its names. @throws FileRefused */
export function planCase(file: string, answers: Answers = {}, currencies: Record<string, string> = {}): Plan {
  const chosen = new Map(
    Object.entries(answers).map(([header, field]) => [
      header.includes("!") ? header : headerKey(header),
      field,
    ]),
  );
  const table = findTable(openFile(readCase(file), file), chosen);
  return planInvoices(table, listsFor(table, currencies));
}

/** A company that has every customer and item of the file. */
function listsFor({ columns, furtherLines, rows }: Table, currencies: Record<string, string>): PlanLists {
  const names = (field: Field) => {
    const indexes = [columns, ...furtherLines].flatMap((line) =>
      line.filter((column) => column.field === field).map(({ index }) => index),
    );
    const texts = rows.flatMap(({ cells }) => indexes.map((index) => cells[index]));
    return [...new Set(texts.filter((cell) => typeof cell === "string"))];
  };
  const entry = (name: string, id: number) => ({ id: String(id), name, fullName: name, active: true });
  return {
    ...ACME,
    customers: names("customer").map((name, id) => ({ ...entry(name, id), currency: currencies[name] })),
    items: names("item").map((name, id) => ({ ...entry(name, id), type: "Service" })),
    terms: names("terms").map((name, id) => entry(name, id)),
  };
}

/** The outcome of a sheet of invoices in a few words: "1001 92.15", "1002 held dueDate terms_in_date", "note …". */
export const invoiceOutcome = (file: string): string[] =>
  orRefused(() => {
    const { invoices, notes } = planCase(file);
    const outcomes = invoices.map(({ docNumber, amountCents, draft, problems }) => {
      const error = problems.find(({ severity }) => severity === "error");
      const outcome = draft ? ((amountCents ?? 0) / 100).toFixed(2) : `held ${error?.field} ${error?.code}`;
      return `${docNumber} ${outcome}`;
    });
    return [...outcomes, ...notes.map(({ code, value }) => ["note", code, value].filter(Boolean).join(" "))];
  });

/** The outcome of a sheet of labels: its good rows, and each problem with its row. */
export const labelOutcome = (file: string): string[] =>
  orRefused(() => {
    const [profile] = PROFILES;
    if (!profile) throw new Error("No label profile.");
    const { rows, problems } = readLabels(readCase(file), {
      fileName: file,
      chosen: new Map(),
      cells: [],
      dateOrder: "mdy",
      profile,
      resolution: "203",
      prefixes: ["0614141"],
      shipFroms: {},
      paper: "roll",
      today: "2026-11-25",
    });
    const good = `good ${rows.map(({ row }) => row).join()}`;
    return [good, ...problems.map(({ row, field, code }) => `${row} ${field} ${code}`)];
  });

function orRefused(read: () => string[]): string[] {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    const { code, params } = error;
    const about = [
      ...listParam(params, "headers"),
      textParam(params, "header"),
      ...listParam(params, "missing"),
    ];
    return [["refused", code, textParam(params, "what"), ...about].filter(Boolean).join(" ")];
  }
}
