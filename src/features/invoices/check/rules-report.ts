import type { Problem } from "#formats/table/problem.ts";
import { rowRanges } from "#formats/text/phrases.ts";
import { fieldHeader } from "#features/invoices/workbook/rules-sheet.ts";
import type { CheckReport, ProblemGroup } from "#features/invoices/check/contract.ts";
import { columnName } from "#formats/xlsx/cell-names.ts";
import { isField } from "#features/invoices/results/rules-sentences.ts";
import { problemSentence } from "#features/invoices/results/sentences-problems.ts";
import { centsText } from "#platform/money.ts";
import { currenciesOf } from "#features/invoices/ledger/rules-currencies.ts";

/** One ledger entry as a check left it. */
export type CheckedEntry = {
  key: string;
  state: string;
  rows: readonly number[];
  docNumber: string | null;
  customerName: string;
  txnDate: string | null;
  amountCents: number | null;
  currency: string | null;
  problems: readonly Problem[];
};

/** Invoices posted before, by what makes two invoices look alike. */
export type PostedBefore = ReadonlyMap<string, { docNumber: string | null; fileName: string }>;

/** Different causes of one rule in one column that are told by themselves; further ones are one group. */
const MOST_TEXTS = 20;
/** Lookalikes told by themselves. */
const MOST_LOOKALIKES = 100;

/**
 * What a check found, in numbers and by cause. The same entries give the same report, and a report stays small however
 * many problems a file has.
 */
export async function reportOf(
  entries: AsyncIterable<CheckedEntry> | Iterable<CheckedEntry>,
  { looks: postedBefore, equalInvoices }: { looks: PostedBefore; equalInvoices: number },
): Promise<CheckReport> {
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
    total: told(total),
    ready: told(ready),
    rejected: told(rejected),
    skipped: told(skipped),
    currencies: currenciesOf([...currencies].map((currency) => ({ currency }))),
    equal_invoices: equalInvoices,
    customers: customers.size,
    problems: toldGroups(problems),
    possible_duplicates: findLookalikes(looks, postedBefore),
  };
}

/**
 * A report that tells the remarks on the whole file too, last among the warnings: columns that are left out, how dates
 * are read.
 */
export function withNotes(report: CheckReport, notes: readonly Problem[]): CheckReport {
  const found: Causes = { groups: new Map(), causes: new Map() };
  for (const note of notes) addProblem(found, note);
  return { ...report, problems: [...report.problems, ...toldGroups(found)] };
}

/** What two invoices share when they look alike. */
export const lookKey = (invoice: { customerName: string; txnDate: string; amountCents: number }): string =>
  `${invoice.customerName}\n${invoice.txnDate}\n${invoice.amountCents}`;

type Share = { invoices: number; rows: number; cents: number };

const newShare = (): Share => ({ invoices: 0, rows: 0, cents: 0 });

function addTo(share: Share | undefined, { rows, amountCents }: CheckedEntry): void {
  if (!share) return;
  share.invoices += 1;
  share.rows += rows.length;
  share.cents += amountCents ?? 0;
}

const told = ({ invoices, rows, cents }: Share) => ({ invoices, rows, amount: centsText(cents) });

type Group = Omit<ProblemGroup, "count" | "rows"> & { rows: number[] };
/** `causes` counts the different causes of each rule and column. */
type Causes = { groups: Map<string, Group>; causes: Map<string, number> };

/** One cause is what problems of different rows have in common; its sentence says a long value in full. */
function addProblem({ groups, causes }: Causes, problem: Problem): void {
  const { code, severity, field, column, row } = problem;
  const kind = `${code}\n${field}\n${column}`;
  const cause = JSON.stringify({ ...problem, row: 0 });
  const isKnown = groups.has(cause);
  const count = causes.get(kind) ?? 0;
  const isAlone = isKnown || count < MOST_TEXTS;
  if (isAlone && !isKnown) causes.set(kind, count + 1);
  const key = isAlone ? cause : kind;
  const group = groups.get(key);
  if (group) {
    group.rows.push(row);
    return;
  }
  const text = problemSentence(problem, (value) => `"${value}"`);
  const where = isField(field) ? ` in column "${fieldHeader(field)}"` : "";
  groups.set(key, {
    code,
    severity: severity === "error" ? "error" : "warning",
    column: column === null ? "" : columnName(column),
    text: isAlone ? text : `More of the same kind${where}, such as: ${text}`,
    rows: [row],
  });
}

/** Errors first, then by how often. */
function toldGroups({ groups }: Causes): ProblemGroup[] {
  return [...groups.values()]
    .map(({ rows, ...group }) => ({ ...group, count: rows.length, rows: rowRanges(rows) }))
    .toSorted((one, other) => one.severity.localeCompare(other.severity) || other.count - one.count);
}

type Look = { look: string; entry: CheckedEntry };

function lookOf(entry: CheckedEntry): Look[] {
  const { state, customerName, txnDate, amountCents } = entry;
  if (state !== "ready" || txnDate === null || amountCents === null) return [];
  return [{ look: lookKey({ customerName, txnDate, amountCents }), entry: { ...entry, problems: [] } }];
}

type Lookalike = CheckReport["possible_duplicates"][number] & { all: readonly number[] };

function findLookalikes(looks: readonly Look[], postedBefore: PostedBefore) {
  const found: Lookalike[] = [];
  for (const group of Map.groupBy(looks, ({ look }) => look).values()) {
    const [first] = group;
    if (!first || group.length < 2) continue;
    const text = `${group.length} invoices for ${first.entry.customerName} of the same date and amount (${moneyText(first.entry)}).`;
    found.push(
      lookalike(
        group.flatMap(({ entry }) => [...entry.rows]),
        text,
      ),
    );
  }
  for (const { look, entry } of looks) {
    const before = postedBefore.get(look);
    if (!before) continue;
    const text = `Like invoice ${before.docNumber ?? ""} posted from "${before.fileName}": same customer, date and amount.`;
    found.push(lookalike(entry.rows, text));
  }
  const rest = found.slice(MOST_LOOKALIKES);
  if (rest.length > 0) {
    const text = `${rest.length} more of these.`;
    found.splice(
      MOST_LOOKALIKES,
      rest.length,
      lookalike(
        rest.flatMap(({ all }) => [...all]),
        text,
      ),
    );
  }
  return found.map(({ rows, text }) => ({ rows, text }));
}

const lookalike = (all: readonly number[], text: string): Lookalike => ({ all, rows: rowRanges(all), text });

const moneyText = ({ amountCents, currency }: CheckedEntry) =>
  [centsText(amountCents ?? 0), currency].filter(Boolean).join(" ");
