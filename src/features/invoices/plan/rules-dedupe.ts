import type { Problem } from "#formats/table/problem.ts";
import { toRanges } from "#formats/text/phrases.ts";
import type { Cause } from "#platform/writes/evidence.ts";
import type { InvoiceHead } from "#features/invoices/plan/rules-packed.ts";
import type { PlannedInvoice } from "#features/invoices/plan/rules.ts";
import type { Earlier, EarlierEntry, EqualEntry } from "#features/invoices/plan/store-earlier.ts";
import type { BooksStatus, UsedNumbers } from "#features/books/index.ts";
import type { GoneReason } from "#integrations/intuit/detect-change.ts";
import type { Verdict } from "#features/invoices/ledger/tables.ts";

/**
 * How an invoice enters the ledger, and why. `alreadyPosted`: rows that were posted from the same file
 * before, which enter it separately as skipped.
 */
export type PlanOutcome = {
  state: Verdict;
  cause: Cause | null;
  alreadyPosted?: AlreadyPosted;
  /** Left out because another file had an equal one. */
  isEqual?: true;
};

/** Current status of posted invoices by QuickBooks id, as far as known. */
type BooksStatuses = ReadonlyMap<string, BooksStatus>;

type Known = { statuses: BooksStatuses; toDay: (moment: Date) => string };

type AlreadyPosted = { rows: readonly number[]; cause: Cause; problem: Problem };

/**
 * Decides the outcomes of a file's invoices, in order.
 * @param earlier.sameFile invoices of earlier uploads of the same file: their rows are not sent again
 * @param earlier.equal equal invoices of other files. Each of them covers one invoice of this file; additional equal ones
 * are new, and so are equal ones within one file. What a file says comes before what would be sent for it. One that has its
 * number in this file covers that invoice only
 * @param earlier.numbered invoices that other files posted under numbers of this file, which the books still have:
 * `postedNumbers` by number
 * @param earlier.open invoices that other files are about to post under numbers of this file
 * @param earlier.statuses status of posted ones by QuickBooks id, as far as known
 * @param earlier.toDay converts a time to the company's local day
 */
export function decideOutcomes(
  heads: readonly InvoiceHead[],
  earlier: Earlier & Known & { postedNumbers: UsedNumbers },
): PlanOutcome[] {
  const entryByRow = new Map(
    earlier.sameFile.flatMap((entry) => entry.rows.map((row) => [row, entry] as const)),
  );
  const entryById = new Map(earlier.numbered.map((entry) => [entry.qboId, entry]));
  const openByNumber = new Map(earlier.open.map((entry) => [entry.ownNumber, entry]));
  const blocked = heads.map((head): PlanOutcome | null => {
    const covered = head.rows.filter((row) => entryByRow.has(row));
    if (covered.length > 0) return sameFileOutcome(head, { ...earlier, covered, entryByRow });
    const number = earlier.postedNumbers.get(head.docNumber ?? "");
    const posted = number && entryById.get(number.id);
    if (posted)
      return { state: "skipped", cause: numberCause(posted, number.voided ? "voided" : "posted", earlier) };
    return head.isGood ? null : { state: "rejected", cause: null };
  });
  const inFile = new Set([...earlier.postedNumbers.values()].map(({ id }) => id));
  const twins = findTwins(
    heads.filter((_, at) => !blocked[at]),
    earlier.equal.filter(({ qboId }) => qboId === null || !inFile.has(qboId)),
  );
  return heads.map((head, at): PlanOutcome => {
    const [outcome, twin] = [blocked[at], twins.get(head)];
    if (outcome) return outcome;
    if (twin) return { state: "skipped", cause: earlierCause("equal", twin, earlier), isEqual: true };
    const open = openByNumber.get(head.docNumber ?? "");
    return open
      ? { state: "skipped", cause: numberCause(open, "open", earlier) }
      : { state: "ready", cause: null };
  });
}

type Key<Value> = (value: Value) => string | null;

/** Keys by which two are the same, in this order: never two of different PO numbers, even where the books have no field for them. */
const PASSES: readonly (readonly [Key<InvoiceHead>, Key<EqualEntry>])[] = [
  [(head) => head.fileFingerprint, (entry) => entry.fileFingerprint],
  [(head) => contentAndPo(head), (entry) => contentAndPo(entry)],
  [
    (head) => (head.poNumber === null ? null : head.fingerprint),
    (entry) => (entry.poNumber === null ? entry.fingerprint : null),
  ],
  [(head) => (head.poNumber === null ? head.fingerprint : null), (entry) => entry.fingerprint],
];

const contentAndPo = ({ fingerprint, poNumber }: Pick<InvoiceHead, "fingerprint" | "poNumber">) =>
  `${fingerprint} ${poNumber ?? ""}`;

/**
 * Pairs invoices of a file with equal ones of others, each with one. Those with a number come first: they equal only those
 * of the same number. Every lookup is by a key, because a large file may have thousands that differ in one value.
 */
function findTwins(
  heads: readonly InvoiceHead[],
  equal: readonly EqualEntry[],
): ReadonlyMap<InvoiceHead, EqualEntry> {
  const twins = new Map<InvoiceHead, EqualEntry>();
  const used = new Set<string>();
  const lastFirst = equal.toSorted(knownFirst).toReversed();
  const pair = (some: readonly InvoiceHead[], headKey: Key<InvoiceHead>, entryKey: Key<EqualEntry>) => {
    const byKey = Map.groupBy(lastFirst, entryKey);
    byKey.delete(null);
    for (const head of some) {
      const candidates = twins.has(head) ? [] : (byKey.get(headKey(head)) ?? []);
      let twin = candidates.pop();
      while (twin && used.has(originKey(twin))) twin = candidates.pop();
      if (!twin) continue;
      twins.set(head, twin);
      used.add(originKey(twin));
    }
  };
  const [unnumbered, numbered] = [
    heads.filter(({ docNumber }) => docNumber === null),
    heads.filter(({ docNumber }) => docNumber !== null),
  ];
  for (const [headKey, entryKey] of PASSES)
    pair(
      numbered,
      (head) => withNumber(headKey(head), head.docNumber),
      (entry) => withNumber(entryKey(entry), entry.ownNumber),
    );
  for (const [headKey, entryKey] of PASSES) pair(unnumbered, headKey, entryKey);
  return twins;
}

const withNumber = (key: string | null, number: string | null) =>
  key === null || number === null ? null : `${key} ${number}`;

/** The same for all entries of one invoice; one that the books alone have has no rows. */
const originKey = ({ uploadId, rows, qboId }: EqualEntry) => `${uploadId} ${rows[0] ?? qboId}`;

/** Why an invoice is gone from the books; undefined if it is there or unknown. */
export function goneReason({ qboId }: EarlierEntry, statuses: BooksStatuses): GoneReason | undefined {
  const how = statuses.get(qboId ?? "");
  return how === "there" ? undefined : how;
}

/** Holds back the whole file if it has an error and is to be posted completely or not at all. */
export function allOrNothing(outcomes: PlanOutcome[]): PlanOutcome[] {
  const faulty = outcomes.filter(({ state }) => state === "rejected").length;
  if (faulty === 0) return outcomes;
  const cause = { code: "all_or_nothing", params: { faulty }, tid: null };
  return outcomes.map((outcome) => (outcome.state === "ready" ? { state: "stopped", cause } : outcome));
}

const knownFirst = (a: EarlierEntry, b: EarlierEntry) =>
  Number(a.state === "unresolved") - Number(b.state === "unresolved");

type EntryByRow = ReadonlyMap<number, EarlierEntry>;

/**
 * Decides by rows, which are the same in the same file; keys may differ, because columns may have been
 * matched differently meanwhile. An invoice may then mix posted and unposted rows.
 */
function sameFileOutcome(
  { rows }: InvoiceHead,
  { covered, entryByRow, ...known }: Known & { covered: readonly number[]; entryByRow: EntryByRow },
): PlanOutcome {
  const entries = [...new Set(covered.flatMap((row) => entryByRow.get(row) ?? []))].toSorted(knownFirst);
  const [first] = entries;
  if (!first) throw new Error("A covered row has no entry.");
  const cause = earlierCause("same_file", first, known);
  if (covered.length === rows.length) return { state: "skipped", cause };
  const missing = rows.filter((row) => !entryByRow.has(row));
  const params = {
    fileName: first.fileName,
    day: known.toDay(first.uploadedAt),
    posted: toRanges(covered),
    missing: toRanges(missing),
    numbers: entries.flatMap(({ docNumber }) => docNumber ?? []),
  };
  const place = { field: null, row: missing[0] ?? 0, column: null };
  const problem: Problem = { code: "partly_posted", severity: "error", ...place, value: "", params };
  return {
    state: "rejected",
    cause: null,
    alreadyPosted: { rows: covered, cause, problem },
  };
}

/** Splits an invoice into rows that were posted before, and the others with the reason that blocks them. */
export function splitInvoice(
  invoice: PlannedInvoice,
  { rows, cause, problem }: AlreadyPosted,
): { invoice: PlannedInvoice; outcome: PlanOutcome }[] {
  const postedRows = new Set(rows);
  const isPosted = (row: number) => postedRows.has(row);
  const lines = invoice.draft?.Line ?? [];
  const { lineRows } = invoice;
  const cents = lines.map((body, index) =>
    "Amount" in body && isPosted((lineRows ?? invoice.rows)[index] ?? 0) ? Math.round(body.Amount * 100) : 0,
  );
  const postedCents = cents.reduce((sum, each) => sum + each, 0);
  const { TxnDate: txnDate = null, DueDate: dueDate = null } = invoice.draft ?? {};
  const read = { txnDate, dueDate, lines: [] };
  const posted = {
    ...invoice,
    key: `posted:${invoice.key}`,
    rows: [...rows],
    lineRows: lineRows && lineRows.filter(isPosted),
    draft: null,
    read,
    problems: [],
    amountCents: postedCents,
    taxCents: null,
  };
  const missing = {
    ...invoice,
    rows: invoice.rows.filter((row) => !isPosted(row)),
    lineRows: lineRows && lineRows.filter((row) => !isPosted(row)),
    draft: null,
    read,
    problems: [problem, ...invoice.problems.filter(({ row }) => !isPosted(row))],
    taxCents: null,
    amountCents: invoice.amountCents === null ? null : invoice.amountCents - postedCents,
  };
  return [
    { invoice: posted, outcome: { state: "skipped", cause } },
    { invoice: missing, outcome: { state: "rejected", cause: null } },
  ];
}

/** Status of an earlier invoice, as far as it was looked up and may be shown. */
function inBooks(entry: EarlierEntry, statuses: BooksStatuses): string {
  if (entry.state === "unresolved") return "in_doubt";
  if (entry.state === "skipped") return "posted";
  if (entry.state !== "posted") return "open";
  return statuses.get(entry.qboId ?? "") ?? "posted";
}

/** Cause for leaving out an invoice whose number another file was posted under, or is about to be. */
const numberCause = (entry: EarlierEntry, books: "posted" | "voided" | "open", { toDay }: Known): Cause => ({
  code: "posted_number",
  params: { ...describeEntry(entry, toDay), books },
  tid: null,
});

/** An earlier invoice for sentences, and for a link to its upload. */
const describeEntry = (entry: EarlierEntry, toDay: Known["toDay"]) => ({
  file: entry.fileName,
  day: toDay(entry.uploadedAt),
  number: entry.docNumber,
  by: entry.uploadedBy,
  upload: entry.uploadId,
  customer: entry.customerName,
  cents: entry.amountCents,
});

/** Cause for leaving an invoice out: `code` is what an earlier one has in common with it. */
function earlierCause(code: "same_file" | "equal", entry: EarlierEntry, { statuses, toDay }: Known): Cause {
  const { uploadedAt, docNumber: number, rows } = entry;
  if (entry.isOnlyInBooks)
    return { code: "equal_in_books", params: { day: toDay(uploadedAt), number }, tid: null };
  const params = { ...describeEntry(entry, toDay), books: inBooks(entry, statuses) };
  return { code, params: code === "equal" ? { ...params, row: rows[0] ?? null } : params, tid: null };
}
