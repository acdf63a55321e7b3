import { describe, expect, test } from "vitest";
import { FileRefused } from "#formats/facts.ts";
import { ACME, planInvoices } from "#features/invoices/fixtures/plan-rows.ts";
import type { Plan } from "#features/invoices/plan/rules.ts";
import { layouts } from "#features/invoices/workbook/layouts/layouts.ts";
import { findTable, invoiceSheet } from "#features/invoices/workbook/rules-sheet.ts";
import { inspectColumns, openFile, type SeenSheet } from "#features/sheets/reading.ts";
import { totalWith } from "#features/sheets/web/rules-answers.ts";
import { findBilled } from "#features/sheets/web/rules-row-marks.ts";
import { acceptPage } from "../../../../test/corpus/accept-page.ts";
import { rollDice } from "../../../../test/corpus/dice.ts";
import { makeLayoutSheet } from "../../../../test/corpus/layout-sheets.ts";

type Sheet = ReturnType<typeof makeLayoutSheet>;

const ask = ({ fileName, bytes }: Sheet, chosen: ReadonlyMap<string, string> = new Map()): SeenSheet =>
  inspectColumns(invoiceSheet, bytes, { fileName, chosen });

const readMeanings = ({ columns }: SeenSheet) => columns.map(({ field, guess }) => field ?? guess ?? "");

const entry = (name: string, id: number) => ({ id: String(id), name, fullName: name, active: true });
const CUSTOMERS = ["Cool Cars", "Red Rock Diner", "Mark Cho", "Oak Anchor"].map(entry);
const ITEMS = ["Claw Hammer", "Tape Measure", "Work Gloves", "Wood Glue", "Design work"];

function plan({ bytes, fileName }: Sheet, answers: ReadonlyMap<string, string>): Plan {
  const table = findTable(openFile(bytes, fileName), answers);
  const items = [...ITEMS, ...table.columns.map(({ header }) => header)];
  const lists = {
    ...ACME,
    allowed: { discount: true, shipping: true, deposit: true },
    customers: CUSTOMERS,
    items: items.map((name, id) => ({ ...entry(name, id), type: "Service" })),
  };
  return planInvoices(table, lists);
}

const outcome = ({ invoices }: Plan) => ({
  cents: invoices.reduce((sum, { amountCents, draft }) => sum + ((draft && amountCents) ?? 0), 0),
  // One whose state says so is held back as it should be.
  held: invoices.flatMap(({ docNumber, draft, problems }) =>
    draft || problems.some(({ field }) => field === "documentStatus")
      ? []
      : [`${docNumber} ${problems.map(({ code, field }) => `${field} ${code}`).join()}`],
  ),
});

const refusal = (read: () => unknown): string => {
  try {
    read();
    return "";
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    return error.code;
  }
};

describe.each(layouts.map(({ name, title }) => [name, title] as const))("%s", (name, title) => {
  test("SH-08 an export of thirty rows is recognized, asked about once, and posts its right total", () => {
    const sheet = makeLayoutSheet(name);
    expect(sheet.rows).toBe(30);
    const seen = ask(sheet);
    expect(seen.layout?.title).toBe(title);
    expect(refusal(() => plan(sheet, new Map()))).toMatch(/layout_unconfirmed|columns_missing/);
    // A user sees before continuing how much is posted.
    const total = totalWith(seen, readMeanings(seen), findBilled(seen.row_marks, new Map()));
    expect(total?.cents).toBe(sheet.cents);
    expect(outcome(plan(sheet, acceptPage(seen)))).toEqual({ cents: sheet.cents, held: [] });
  });

  test("SH-09 with a tenth of its headers renamed or missing it posts its right total, or asks", () => {
    const dice = rollDice(name.length);
    const silent: string[] = [];
    for (let round = 0; round < 12; round += 1) {
      const { headers } = makeLayoutSheet(name);
      const lost = new Map<string, string | null>();
      while (lost.size < Math.ceil(headers.length / 10)) {
        const header = dice.pick(headers);
        // Without its states and its money, a file doesn't say what is billed.
        const decides = /status|^event type|^billable|price|discount|amount|shipping|rate|cost/i.test(header);
        lost.set(header, dice.chance(0.5) && !decides ? null : `My ${lost.size}`);
      }
      const sheet = makeLayoutSheet(name, (header) =>
        lost.has(header) ? (lost.get(header) ?? null) : header,
      );
      const found = tryAll(sheet);
      if (found !== null) silent.push(`${[...lost].join(" ")}: ${found}`);
    }
    expect(silent).toEqual([]);
  });
});

/** The wrong total of a sheet that nothing was said about; null if it is right, or something is asked. */
function tryAll(sheet: Sheet): string | null {
  const seen = ask(sheet);
  const answers = acceptPage(seen);
  const isAsked = seen.columns.some(({ reason }) => reason !== null);
  if (isAsked || refusal(() => plan(sheet, answers)) !== "") return null;
  const planned = plan(sheet, answers);
  const { cents, held } = outcome(planned);
  const isSaid = planned.notes.some(({ code }) => code === "money_ignored");
  return held.length > 0 || isSaid || cents === sheet.cents ? null : `${cents} for ${sheet.cents}`;
}
