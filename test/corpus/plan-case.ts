import { readFileSync } from "node:fs";
import { join } from "node:path";
import { FileRefused, listParam, textParam } from "#formats/facts.ts";
import { headerKey } from "#formats/table/header-text.ts";
import { ACME, planInvoices } from "#features/invoices/fixtures/plan-rows.ts";
import type { Plan, PlanLists } from "#features/invoices/plan/rules.ts";
import { type Field, findTable, invoiceSheet, type Table } from "#features/invoices/workbook/rules-sheet.ts";
import { PROFILES } from "#features/labels/profiles/profiles.ts";
import { run as readLabels } from "#features/labels/read-sheet/read-sheet.ts";
import { inspectColumns, openFile } from "#features/sheets/reading.ts";
import { acceptPage } from "./accept-page.ts";

/** By header, or by the key of a value: whether its rows are billed. */
export type Answers = Record<string, Field | "ignore" | "billed" | "left_out">;

export const readCase = (file: string): Uint8Array => readFileSync(join(import.meta.dirname, "cases", file));

/** Plans a file of `cases/` for a company that has all its names. @throws FileRefused */
export function planCase(file: string, answers: Answers = {}, currencies: Record<string, string> = {}): Plan {
  return planChosen(file, toChoices(answers), currencies);
}

const toChoices = (answers: Answers): Map<string, string> =>
  new Map(
    Object.entries(answers).map(([header, field]) => [
      header.includes("!") ? header : headerKey(header),
      field,
    ]),
  );

function planChosen(
  file: string,
  chosen: ReadonlyMap<string, string>,
  currencies: Record<string, string> = {},
): Plan {
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
    // A charge column needs an item called like it.
    items: [...new Set([...names("item"), "Design work", ...columns.map(({ header }) => header)])].map(
      (name, id) => ({
        ...entry(name, id),
        type: "Service",
      }),
    ),
    terms: names("terms").map((name, id) => entry(name, id)),
  };
}

/** The outcome of a sheet of invoices in a few words: "1001 92.15", "1002 held dueDate terms_in_date", "note …". */
export const invoiceOutcome = (file: string): string[] => orRefused(() => describePlan(planCase(file)));

/** The outcome for a user who continues on the page of questions without changing an answer. */
export const acceptedOutcome = (file: string): string[] =>
  orRefused(() => {
    const input = { fileName: file, chosen: new Map<string, string>() };
    const answers = acceptPage(inspectColumns(invoiceSheet, readCase(file), input));
    return describePlan(planChosen(file, answers)).filter((text) => !text.startsWith("note column_ignored"));
  });

function describePlan({ invoices, notes }: Plan): string[] {
  const outcomes = invoices.map(({ docNumber, amountCents, draft, problems }) => {
    const error = problems.find(({ severity }) => severity === "error");
    const outcome = draft ? ((amountCents ?? 0) / 100).toFixed(2) : `held ${error?.field} ${error?.code}`;
    return `${docNumber} ${outcome}`;
  });
  return [...outcomes, ...notes.map(({ code, value }) => ["note", code, value].filter(Boolean).join(" "))];
}

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
