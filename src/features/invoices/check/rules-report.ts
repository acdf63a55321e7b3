import type { CheckReport, ProblemGroup } from "#features/invoices/check/contract.ts";
import { centsText } from "#platform/money.ts";
import { currenciesOf } from "#features/invoices/rules-currencies.ts";
import { quote, rowRanges, type Problem } from "#features/invoices/workbook/rules-problems.ts";

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

/** Different sentences of one rule about one column that are told by themselves; further ones are one group. */
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
  const problems: Causes = { groups: new Map(), texts: new Map() };
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
  const found: Causes = { groups: new Map(), texts: new Map() };
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
/** `texts` counts the different sentences of each rule and column. */
type Causes = { groups: Map<string, Group>; texts: Map<string, number> };

/** A group's sentence is its first problem's, without the cell. */
function addProblem({ groups, texts }: Causes, problem: Problem): void {
  const { code, severity, header, row } = problem;
  const { column, text: told } = takeApart(problem);
  const text = inFull(told, problem);
  const kind = `${code}\n${header}`;
  const isKnown = groups.has(`${kind}\n${text}`);
  const count = texts.get(kind) ?? 0;
  const isAlone = isKnown || count < MOST_TEXTS;
  if (isAlone && !isKnown) texts.set(kind, count + 1);
  const key = isAlone ? `${kind}\n${text}` : kind;
  const sentence = isAlone ? text : `More of the same kind in column "${header}", such as: ${text}`;
  const group = groups.get(key);
  if (group) group.rows.push(row);
  else groups.set(key, { code, severity, column, text: sentence, rows: [row] });
}

/** Errors first, then by how often. */
function toldGroups({ groups }: Causes): ProblemGroup[] {
  return [...groups.values()]
    .map(({ rows, ...group }) => ({ ...group, count: rows.length, rows: rowRanges(rows) }))
    .toSorted((one, other) => one.severity.localeCompare(other.severity) || other.count - one.count);
}

/** The sentence without its place, and the column where it names a cell of one. */
function takeApart({ cell, row, text }: Problem): { column: string; text: string } {
  if (text.startsWith(`${cell}: `))
    return { column: cell.replace(/\d+$/, ""), text: text.slice(cell.length + 2) };
  const place = `Row ${row}: `;
  return { column: "", text: text.startsWith(place) ? text.slice(place.length) : text };
}

/** A group tells a long value whole: cut as on each row, two that begin alike would be one. */
const inFull = (text: string, { value }: Problem) => text.replace(quote(value), () => `"${value}"`);

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
