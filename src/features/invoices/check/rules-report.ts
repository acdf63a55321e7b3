import { toRanges } from "#formats/text/phrases.ts";
import { collectProblems } from "#features/sheets/reading.ts";
import { listCurrencies } from "#features/invoices/ledger/rules-shares.ts";
import type { NewEntry } from "#features/invoices/ledger/store-entries.ts";
import type { CheckFacts, PossibleDuplicate, Share } from "#features/invoices/ledger/tables.ts";

/** One ledger entry as written by a check. */
export type CheckedEntry = Pick<
  NewEntry,
  "key" | "rows" | "docNumber" | "customerName" | "amountCents" | "currency" | "problems"
> & {
  state: string;
  txnDate: string | null;
};

/** Earlier posted invoices, by duplicate key. */
export type PostedBefore = ReadonlyMap<string, { docNumber: string | null; fileName: string }>;

/** Maximum number of listed possible duplicates; the others are counted. */
const MAX_DUPLICATES = 100;

/**
 * Builds the report of a check: counts, and problems by cause. Equal entries give an equal report, and its
 * size is limited whatever the number of problems.
 */
export async function buildReport(
  entries: AsyncIterable<CheckedEntry> | Iterable<CheckedEntry>,
  { candidates: postedBefore, equalInvoices }: { candidates: PostedBefore; equalInvoices: number },
): Promise<CheckFacts> {
  const [total, ready, rejected, skipped] = [newShare(), newShare(), newShare(), newShare()];
  const shareByState = new Map([
    ["ready", ready],
    ["rejected", rejected],
    ["stopped", rejected],
    ["skipped", skipped],
  ]);
  const customers = new Set<string>();
  const currencies = new Set<string | null>();
  const problems = collectProblems();
  const candidates: Candidate[] = [];
  for await (const entry of entries) {
    addTo(total, entry);
    addTo(shareByState.get(entry.state), entry);
    if (entry.customerName) customers.add(entry.customerName);
    currencies.add(entry.currency);
    // An invoice left out as already posted isn't a problem; its taken number is the same fact.
    if (entry.state !== "skipped") for (const problem of entry.problems) problems.add(problem);
    candidates.push(...toCandidate(entry));
  }
  return {
    total,
    ready,
    rejected,
    skipped,
    currencies: listCurrencies(currencies),
    equalInvoices,
    customers: customers.size,
    problems: problems.groups(),
    possibleDuplicates: findPossibleDuplicates(candidates, postedBefore),
  };
}

/** Key shared by possible duplicates. */
export const duplicateKey = (invoice: {
  customerName: string;
  txnDate: string;
  amountCents: number;
}): string => `${invoice.customerName}\n${invoice.txnDate}\n${invoice.amountCents}`;

const newShare = (): Share => ({ invoices: 0, rows: 0, cents: 0 });

function addTo(share: Share | undefined, { rows, amountCents }: CheckedEntry): void {
  if (!share) return;
  share.invoices += 1;
  share.rows += rows.length;
  share.cents += amountCents ?? 0;
}

type Candidate = Pick<CheckedEntry, "rows" | "customerName" | "currency"> & { key: string; cents: number };

/** Keeps only what is shown, because all candidates of a large file stay in memory until its end. */
function toCandidate({
  state,
  rows,
  customerName,
  currency,
  txnDate,
  amountCents,
}: CheckedEntry): Candidate[] {
  if (state !== "ready" || txnDate === null || amountCents === null) return [];
  const key = duplicateKey({ customerName, txnDate, amountCents });
  return [{ key, rows, customerName, currency, cents: amountCents }];
}

function findPossibleDuplicates(
  candidates: readonly Candidate[],
  postedBefore: PostedBefore,
): PossibleDuplicate[] {
  const found: { rows: readonly number[]; what: PossibleDuplicate }[] = [];
  for (const group of Map.groupBy(candidates, ({ key }) => key).values()) {
    const [first] = group;
    if (!first || group.length < 2) continue;
    const rows = inOrder(group);
    const { customerName: customer, cents, currency } = first;
    const what = { code: "alike", count: group.length, customer, cents, currency } as const;
    found.push({ rows, what: { ...what, rows: toRanges(rows) } });
  }
  for (const { key, rows } of candidates) {
    const before = postedBefore.get(key);
    if (!before) continue;
    const { docNumber: number, fileName } = before;
    found.push({ rows, what: { code: "posted_before", number, fileName, rows: toRanges(rows) } });
  }
  const rest = found.slice(MAX_DUPLICATES);
  const listed = found.slice(0, MAX_DUPLICATES).map(({ what }) => what);
  if (rest.length === 0) return listed;
  return [...listed, { code: "more", count: rest.length, rows: toRanges(inOrder(rest)) }];
}

/** Rows of several invoices in sheet order: rows of different invoices can alternate. */
const inOrder = (each: readonly { rows: readonly number[] }[]): number[] =>
  each.flatMap(({ rows }) => rows).toSorted((a, b) => a - b);
