import type { Problem } from "#formats/table/problem.ts";
import { rangesOf } from "#formats/text/phrases.ts";
import { currenciesOf } from "#features/invoices/ledger/rules-shares.ts";
import type { NewEntry } from "#features/invoices/ledger/store-entries.ts";
import type { CheckFacts, Lookalike, ProblemFacts, Share } from "#features/invoices/ledger/tables.ts";

/** One ledger entry as a check left it. */
export type CheckedEntry = Omit<NewEntry, "seq" | "draft" | "verdict" | "cause" | "fingerprint"> & {
  state: string;
  txnDate: string | null;
};

/** Invoices posted before, by what makes two invoices look alike. */
export type PostedBefore = ReadonlyMap<string, { docNumber: string | null; fileName: string }>;

/** Different causes of one rule in one column that are groups of their own; further ones are one group. */
const MAX_CAUSES = 20;
/** Lookalikes that are listed; further ones are counted. */
const MAX_LOOKALIKES = 100;

/**
 * What a check found, in numbers and by cause. The same entries give the same report, and a report stays small however
 * many problems a file has.
 */
export async function reportOf(
  entries: AsyncIterable<CheckedEntry> | Iterable<CheckedEntry>,
  { looks: postedBefore, equalInvoices }: { looks: PostedBefore; equalInvoices: number },
): Promise<CheckFacts> {
  const [total, ready, rejected, skipped] = [newShare(), newShare(), newShare(), newShare()];
  const shareOf = new Map([
    ["ready", ready],
    ["rejected", rejected],
    ["stopped", rejected],
    ["skipped", skipped],
  ]);
  const customers = new Set<string>();
  const currencies = new Set<string | null>();
  const problems: Causes = { groups: new Map(), causes: new Map() };
  const looks: Look[] = [];
  for await (const entry of entries) {
    addTo(total, entry);
    addTo(shareOf.get(entry.state), entry);
    if (entry.customerName) customers.add(entry.customerName);
    currencies.add(entry.currency);
    // What is left out as posted already is no problem: that its number is taken says only that.
    if (entry.state !== "skipped") for (const problem of entry.problems) addProblem(problems, problem);
    looks.push(...lookOf(entry));
  }
  return {
    total,
    ready,
    rejected,
    skipped,
    currencies: currenciesOf(currencies),
    equalInvoices,
    customers: customers.size,
    problems: groupsOf(problems),
    lookalikes: findLookalikes(looks, postedBefore),
  };
}

/** Problems put together by cause. */
export function groupProblems(problems: readonly Problem[]): ProblemFacts[] {
  const found: Causes = { groups: new Map(), causes: new Map() };
  for (const problem of problems) addProblem(found, problem);
  return groupsOf(found);
}

/** What two invoices share when they look alike. */
export const lookKey = (invoice: { customerName: string; txnDate: string; amountCents: number }): string =>
  `${invoice.customerName}\n${invoice.txnDate}\n${invoice.amountCents}`;

const newShare = (): Share => ({ invoices: 0, rows: 0, cents: 0 });

function addTo(share: Share | undefined, { rows, amountCents }: CheckedEntry): void {
  if (!share) return;
  share.invoices += 1;
  share.rows += rows.length;
  share.cents += amountCents ?? 0;
}

type Group = { problem: Problem; isKind: boolean; rows: number[] };
/** `causes` counts the different causes of each rule and column. */
type Causes = { groups: Map<string, Group>; causes: Map<string, number> };

/** One cause is what problems of different rows have in common. */
function addProblem({ groups, causes }: Causes, problem: Problem): void {
  const { code, field, column, row } = problem;
  const kind = `${code}\n${field}\n${column}`;
  const cause = JSON.stringify({ ...problem, row: 0 });
  const isKnown = groups.has(cause);
  const count = causes.get(kind) ?? 0;
  const isKind = !isKnown && count >= MAX_CAUSES;
  if (!isKind && !isKnown) causes.set(kind, count + 1);
  const key = isKind ? kind : cause;
  const group = groups.get(key);
  if (group) group.rows.push(row);
  else groups.set(key, { problem, isKind, rows: [row] });
}

const SEVERITIES = ["error", "warning", "info"];

/** Errors first, then by how often. */
function groupsOf({ groups }: Causes): ProblemFacts[] {
  const rank = ({ problem }: ProblemFacts) => SEVERITIES.indexOf(problem.severity);
  return Array.from(groups.values(), ({ rows, ...group }) => ({
    ...group,
    count: rows.length,
    rows: rangesOf(rows),
  })).toSorted((one, other) => rank(one) - rank(other) || other.count - one.count);
}

type Look = { key: string; entry: CheckedEntry; cents: number };

function lookOf(entry: CheckedEntry): Look[] {
  const { state, customerName, txnDate, amountCents } = entry;
  if (state !== "ready" || txnDate === null || amountCents === null) return [];
  const key = lookKey({ customerName, txnDate, amountCents });
  return [{ key, cents: amountCents, entry: { ...entry, problems: [] } }];
}

function findLookalikes(looks: readonly Look[], postedBefore: PostedBefore): Lookalike[] {
  const found: { rows: readonly number[]; what: Lookalike }[] = [];
  for (const group of Map.groupBy(looks, ({ key }) => key).values()) {
    const [first] = group;
    if (!first || group.length < 2) continue;
    const rows = group.flatMap(({ entry }) => [...entry.rows]);
    const { customerName: customer, currency } = first.entry;
    const alike = { code: "alike", count: group.length, customer, cents: first.cents, currency } as const;
    found.push({ rows, what: { ...alike, rows: rangesOf(rows) } });
  }
  for (const { key, entry } of looks) {
    const before = postedBefore.get(key);
    if (!before) continue;
    const { docNumber: number, fileName } = before;
    const what = { code: "posted_before", number, fileName, rows: rangesOf(entry.rows) } as const;
    found.push({ rows: entry.rows, what });
  }
  const rest = found.slice(MAX_LOOKALIKES);
  const listed = found.slice(0, MAX_LOOKALIKES).map(({ what }) => what);
  if (rest.length === 0) return listed;
  const rows = rangesOf(rest.flatMap((each) => [...each.rows]));
  return [...listed, { code: "more", count: rest.length, rows }];
}
