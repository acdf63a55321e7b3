import { type Corrected, isLeftOut, leftOutRows } from "#formats/table/corrections.ts";
import type { Problem } from "#formats/table/problem.ts";
import { rangesText, rowRanges } from "#formats/text/phrases.ts";
import { sheetNames } from "#formats/table/places.ts";
import { rowText, type SheetNames } from "#formats/text/sheet-rows.ts";
import { centsText, moneyText } from "#platform/money.ts";
import type { CorrectedCell, ProblemGroup } from "#features/sheets/contract.ts";
import { besideFile, groupProblems, type ProblemFacts, toProblemGroup } from "#features/sheets/reading.ts";
import type { CheckReport, LeftOutInvoice } from "#features/invoices/check/contract.ts";
import type { Change, CheckFacts, PossibleDuplicate, Share } from "#features/invoices/ledger/tables.ts";
import { isField, problemSentence, problemText } from "#features/invoices/results/sentences-problems.ts";
import { fieldHeader, invoiceSheet } from "#features/invoices/workbook/rules-sheet.ts";

/**
 * Converts a report to its wire shape.
 * @param notes remarks on the whole file, listed last among the warnings: ignored columns, how dates are read
 */
export function toReport(facts: CheckFacts, notes: readonly Problem[]): CheckReport {
  const sheets = sheetNames(notes);
  return {
    total: toShare(facts.total),
    ready: toShare(facts.ready),
    rejected: toShare(facts.rejected),
    skipped: toShare(facts.skipped),
    equal_invoices: facts.equalInvoices,
    customers: facts.customers,
    currencies: facts.currencies,
    problems: [...facts.problems, ...groupProblems(notes)].map((group) => toGroup(group, sheets)),
    possible_duplicates: facts.possibleDuplicates.map((duplicate) => ({
      rows: rangesText(duplicate.rows, sheets),
      text: duplicateSentence(duplicate),
    })),
  };
}

const toShare = ({ invoices, rows, cents }: Share) => ({ invoices, rows, amount: centsText(cents) });

/** The sentence says a long value in full. */
const toGroup = (facts: ProblemFacts, sheets: SheetNames): ProblemGroup =>
  toProblemGroup(invoiceSheet, facts, {
    text: problemSentence(facts.problem, { ...besideFile(sheets), quote: (value) => `"${value}"` }),
    sheets,
  });

function duplicateSentence(duplicate: PossibleDuplicate): string {
  switch (duplicate.code) {
    case "alike": {
      const { count, customer, cents, currency } = duplicate;
      return `${count} invoices for ${customer} with the same date and amount (${moneyText(cents, currency)}).`;
    }
    case "posted_before":
      return `Same customer, date, and amount as ${duplicate.number ? `invoice ${duplicate.number}` : "an invoice"} posted from "${duplicate.fileName}".`;
    case "more":
      return `${duplicate.count} more like these.`;
  }
}

/** Changes that users made in the review: corrected cells, and invoices that are left out. */
export const toCorrections = (corrections: readonly Corrected[], sheets: SheetNames) => ({
  corrections: corrections
    .filter((all) => !isLeftOut(all))
    .map((corrected) => toCorrectedCell(corrected, sheets)),
  left_out: corrections.filter(isLeftOut).map((left) => toLeftOut(left, sheets)),
});

function toLeftOut(left: Corrected, sheets: SheetNames): LeftOutInvoice {
  const { name = null, cents = null, currency = null } = left.record ?? {};
  return {
    row: left.row,
    rows: rowRanges(leftOutRows([left]), sheets),
    doc_number: name,
    amount: cents === null ? null : centsText(cents),
    currency,
  };
}

const toCorrectedCell = ({ row, field, value, was }: Corrected, sheets: SheetNames): CorrectedCell => ({
  row,
  place: rowText(row, sheets),
  field,
  value,
  was,
  header: isField(field) ? fieldHeader(field) : field,
});

/** Says what changed since the check. */
export function changeSentence(change: Change, sheets: SheetNames): string {
  if (change.code === "more")
    return `And ${change.count} more ${change.count === 1 ? "invoice" : "invoices"} changed.`;
  const name = change.docNumber
    ? `Invoice ${change.docNumber}`
    : `The invoice of row ${rowText(change.row, sheets)}`;
  switch (change.code) {
    case "rejected":
      return `${name} can no longer be posted: ${change.errors.map((error) => problemText(error, { sheets })).join(" ")}`;
    case "skipped":
      return `${name} was posted in the meantime.`;
    case "ready":
      return `${name} can be posted now.`;
    case "gone":
      return `${name} is no longer a separate invoice in the file.`;
    case "differs":
      return `${name} would be posted differently now, because QuickBooks or your saved matches changed since the check.`;
  }
}
