import { type Corrected, isLeftOut, leftOutRows } from "#formats/table/corrections.ts";
import type { Problem } from "#formats/table/problem.ts";
import { rangesText, rowRanges } from "#formats/text/phrases.ts";
import { centsText, moneyText } from "#platform/money.ts";
import type { CorrectedCell, ProblemGroup } from "#features/sheets/contract.ts";
import { BESIDE_FILE, groupProblems, type ProblemFacts, toProblemGroup } from "#features/sheets/reading.ts";
import type { CheckReport, LeftOutInvoice } from "#features/invoices/check/contract.ts";
import type { Change, CheckFacts, PossibleDuplicate, Share } from "#features/invoices/ledger/tables.ts";
import { isField, problemSentence, problemText } from "#features/invoices/results/sentences-problems.ts";
import { fieldHeader, invoiceSheet } from "#features/invoices/workbook/rules-sheet.ts";

/**
 * Converts a report to its wire shape.
 * @param notes remarks on the whole file, listed last among the warnings: ignored columns, how dates are read
 */
export function toReport(facts: CheckFacts, notes: readonly Problem[]): CheckReport {
  return {
    total: toShare(facts.total),
    ready: toShare(facts.ready),
    rejected: toShare(facts.rejected),
    skipped: toShare(facts.skipped),
    equal_invoices: facts.equalInvoices,
    customers: facts.customers,
    currencies: facts.currencies,
    problems: [...facts.problems, ...groupProblems(notes)].map(toGroup),
    possible_duplicates: facts.possibleDuplicates.map((duplicate) => ({
      rows: rangesText(duplicate.rows),
      text: duplicateSentence(duplicate),
    })),
  };
}

const toShare = ({ invoices, rows, cents }: Share) => ({ invoices, rows, amount: centsText(cents) });

/** The sentence contains even a long value in full. */
const toGroup = (facts: ProblemFacts): ProblemGroup =>
  toProblemGroup(
    invoiceSheet,
    facts,
    problemSentence(facts.problem, { ...BESIDE_FILE, quote: (value) => `"${value}"` }),
  );

function duplicateSentence(duplicate: PossibleDuplicate): string {
  switch (duplicate.code) {
    case "alike": {
      const { count, customer, cents, currency } = duplicate;
      return `${count} invoices for ${customer} with the same date and amount (${moneyText(cents, currency)}).`;
    }
    case "posted_before":
      return `Like invoice ${duplicate.number ?? ""} posted from "${duplicate.fileName}": same customer, date and amount.`;
    case "more":
      return `${duplicate.count} more of these.`;
  }
}

/** Changes that users made in the review: corrected cells and left-out invoices. */
export const toCorrections = (corrections: readonly Corrected[]) => ({
  corrections: corrections.filter((all) => !isLeftOut(all)).map(toCorrectedCell),
  left_out: corrections.filter(isLeftOut).map(toLeftOut),
});

function toLeftOut(left: Corrected): LeftOutInvoice {
  const { name = null, cents = null, currency = null } = left.record ?? {};
  return {
    row: left.row,
    rows: rowRanges(leftOutRows([left])),
    doc_number: name,
    amount: cents === null ? null : centsText(cents),
    currency,
  };
}

const toCorrectedCell = ({ row, field, value, was }: Corrected): CorrectedCell => ({
  row,
  field,
  value,
  was,
  header: isField(field) ? fieldHeader(field) : field,
});

/** Describes a difference between the check and what would be posted now. */
export function changeSentence(change: Change): string {
  if (change.code === "more") return `And ${change.count} more invoices changed.`;
  const name = change.docNumber ? `Invoice ${change.docNumber}` : `The invoice of row ${change.row}`;
  switch (change.code) {
    case "rejected":
      return `${name} can no longer be posted: ${change.errors.map((error) => problemText(error)).join(" ")}`;
    case "skipped":
      return `${name} was posted meanwhile.`;
    case "ready":
      return `${name} can be posted now.`;
    case "gone":
      return `${name} is no longer read from the file as an invoice of its own.`;
    case "differs":
      return `${name} would be posted differently now, because QuickBooks, or your remembered names, columns or dates, changed since the check.`;
  }
}
