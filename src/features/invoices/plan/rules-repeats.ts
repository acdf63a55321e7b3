import type { Problem } from "#formats/table/problem.ts";
import { rangesOf } from "#formats/text/phrases.ts";
import type { InvoiceHead } from "#features/invoices/plan/rules-packed.ts";
import type { PlannedInvoice } from "#features/invoices/plan/rules.ts";
import type { Earlier, EarlierEntry } from "#features/invoices/plan/store-earlier.ts";
import type { BooksStatus } from "#features/books/index.ts";
import type { GoneReason } from "#integrations/intuit/judge-invoice.ts";
import type { Verdict } from "#features/invoices/ledger/tables.ts";

/**
 * How an invoice enters the ledger, and why. `apart`: some of its rows were posted from the very same file before, and
 * enter it by themselves as skipped.
 */
export type Fate = {
  state: Verdict;
  message: string;
  apart?: Apart;
  /** It is left out because another file had an equal one. */
  isEqual?: true;
};

/** What became of posted invoices, by their ids in QuickBooks, as far as that is known. */
type BooksStatuses = ReadonlyMap<string, BooksStatus>;

type Apart = { rows: readonly number[]; message: string; problem: Problem };

/**
 * Fates of the invoices of a file, in their order.
 * @param earlier.sameFile invoices of earlier uploads of the very same file: their rows are not sent again
 * @param earlier.equal invoices of other files that say the same. Each of them stands for one invoice of this file that
 * has no number; further equal ones are new, as equal ones within one file are
 */
export function fatesOf(
  heads: readonly InvoiceHead[],
  earlier: Earlier & { booksStatus: BooksStatuses },
): Fate[] {
  const entryOf = new Map(
    earlier.sameFile.flatMap((entry) => entry.rows.map((row) => [row, entry] as const)),
  );
  const equal = Map.groupBy(earlier.equal.toSorted(knownFirst), ({ fingerprint }) => fingerprint);
  return heads.map((head): Fate => {
    const covered = head.rows.filter((row) => entryOf.has(row));
    if (covered.length > 0) return sameFileFate(head, { covered, entryOf, booksStatus: earlier.booksStatus });
    if (!head.isGood) return { state: "rejected", message: "" };
    const twin =
      head.docNumber === null && head.fingerprint !== null ? equal.get(head.fingerprint)?.shift() : undefined;
    return twin
      ? { state: "skipped", message: equalSentence(twin, earlier.booksStatus), isEqual: true }
      : { state: "ready", message: "" };
  });
}

/** How others took an invoice out of the books; undefined when it is there, or nothing is known. */
export function goneReason({ qboId }: EarlierEntry, booksStatus: BooksStatuses): GoneReason | undefined {
  const how = booksStatus.get(qboId ?? "");
  return how === "there" ? undefined : how;
}

/** Where the file is to be posted whole or not at all, one error holds all of it back. */
export function allOrNothing(fates: Fate[]): Fate[] {
  const faulty = fates.filter(({ state }) => state === "rejected").length;
  if (faulty === 0) return fates;
  const invoices = faulty === 1 ? "1 invoice has errors" : `${faulty} invoices have errors`;
  const message = `Not posted: you asked for all or nothing, and ${invoices}. Correct them and upload the file again.`;
  return fates.map((fate) => (fate.state === "ready" ? { state: "stopped", message } : fate));
}

const knownFirst = (one: EarlierEntry, other: EarlierEntry) =>
  Number(one.state === "unknown") - Number(other.state === "unknown");

type EntryOfRow = ReadonlyMap<number, EarlierEntry>;

/**
 * Rows of the very same file are the same; keys are not, since columns may have been chosen otherwise meanwhile. Then an
 * invoice may have rows that were posted beside rows that were not.
 */
function sameFileFate(
  { rows }: InvoiceHead,
  {
    covered,
    entryOf,
    booksStatus,
  }: { covered: readonly number[]; entryOf: EntryOfRow; booksStatus: BooksStatuses },
): Fate {
  const entries = [...new Set(covered.flatMap((row) => entryOf.get(row) ?? []))].toSorted(knownFirst);
  const [first] = entries;
  if (!first) throw new Error("A covered row has no entry.");
  const message = sameFileSentence(first, booksStatus);
  if (covered.length === rows.length) return { state: "skipped", message };
  const missing = rows.filter((row) => !entryOf.has(row));
  const params = {
    fileName: first.fileName,
    day: day(first.uploadedAt),
    posted: rangesOf(covered),
    missing: rangesOf(missing),
    numbers: entries.flatMap(({ docNumber }) => docNumber ?? []),
  };
  const place = { field: null, row: missing[0] ?? 0, column: null };
  const problem: Problem = { code: "partly_posted", severity: "error", ...place, value: "", params };
  return {
    state: "rejected",
    message: "",
    apart: { rows: covered, message, problem },
  };
}

/** The rows of an invoice that were posted before, and the others with what keeps them back. */
export function splitInvoice(
  invoice: PlannedInvoice,
  { rows, message, problem }: Apart,
): { invoice: PlannedInvoice; fate: Fate }[] {
  const apartRows = new Set(rows);
  const isApart = (row: number) => apartRows.has(row);
  const lines = invoice.draft?.Line ?? [];
  const cents = lines.map((body, index) =>
    "Amount" in body && isApart(invoice.rows[index] ?? 0) ? Math.round(body.Amount * 100) : 0,
  );
  const apartCents = cents.reduce((sum, each) => sum + each, 0);
  const posted = {
    ...invoice,
    key: `posted:${invoice.key}`,
    rows: [...rows],
    draft: null,
    problems: [],
    amountCents: apartCents,
  };
  const missing = {
    ...invoice,
    rows: invoice.rows.filter((row) => !isApart(row)),
    draft: null,
    problems: [problem, ...invoice.problems.filter(({ row }) => !isApart(row))],
    amountCents: invoice.amountCents === null ? null : invoice.amountCents - apartCents,
  };
  return [
    { invoice: posted, fate: { state: "skipped", message } },
    { invoice: missing, fate: { state: "rejected", message: "" } },
  ];
}

const day = (date: Date) => date.toISOString().slice(0, 10);

const whenSameFile = ({ fileName, uploadedAt }: EarlierEntry) =>
  `the same file was uploaded as "${fileName}" on ${day(uploadedAt)}`;

function sameFileSentence(entry: EarlierEntry, booksStatus: BooksStatuses): string {
  const when = whenSameFile(entry);
  if (entry.state === "unknown")
    return `Not sent: ${when}, and QuickBooks never told whether this invoice was stored. Look for it in QuickBooks; if it is not there, give it a new number (or change the row) and upload again.`;
  if (entry.state !== "posted")
    return `Not sent again: ${when}, and that upload was still at work on this invoice. See its results.`;
  const name = entry.docNumber ? ` as invoice ${entry.docNumber}` : "";
  const gone = goneReason(entry, booksStatus);
  if (gone)
    return `Not sent again: ${when} and this invoice was posted${name}, which was ${gone} in QuickBooks since. To post it again, put its rows into a new file and upload that.`;
  return `Not sent again: ${when}, and this invoice ${isThere(entry, booksStatus)}${name}.`;
}

/** What was not looked up, or may not be shown yet, is not told as seen. */
const isThere = ({ qboId }: EarlierEntry, booksStatus: BooksStatuses) =>
  booksStatus.get(qboId ?? "") === "there" ? "is in QuickBooks" : "was posted";

function equalSentence(entry: EarlierEntry, booksStatus: BooksStatuses): string {
  const { state, rows, fileName, uploadedAt, docNumber } = entry;
  const [first] = rows;
  const when = `an invoice equal in everything was uploaded as row ${first} of "${fileName}" on ${day(uploadedAt)}`;
  if (state === "unknown")
    return `Not sent: ${when}, and QuickBooks never told whether it was stored. Look for it in QuickBooks; if it is not there, give this one an Invoice No and upload again.`;
  const name = docNumber ? ` as invoice ${docNumber}` : "";
  const where =
    state === "posted"
      ? `${isThere(entry, booksStatus)}${name}`
      : "that upload was still at work on it (see its results)";
  return `Not sent again: ${when}, and ${where}. If this is another one, give it an Invoice No of its own and upload again; or check the file and choose "Post these too".`;
}
