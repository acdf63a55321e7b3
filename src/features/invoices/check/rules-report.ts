import type { CheckReport, ProblemGroup } from "#features/invoices/check/contract.ts";
import { rowRanges } from "#features/invoices/rules-problems.ts";
import type { Problem } from "#features/invoices/rules-plan.ts";

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

/** What a check found, in numbers and by cause. Pure: the same entries give the same report. */
export function reportOf(entries: readonly CheckedEntry[], postedBefore: PostedBefore): CheckReport {
  const of = (...states: string[]) => shareOf(entries.filter(({ state }) => states.includes(state)));
  return {
    total: shareOf(entries),
    ready: of("ready"),
    rejected: of("rejected", "stopped"),
    skipped: of("skipped"),
    currencies: currenciesOf(entries),
    customers: new Set(entries.map(({ customerName }) => customerName).filter(Boolean)).size,
    problems: groupProblems(entries.flatMap(({ problems }) => problems)),
    possible_duplicates: findLookalikes(entries, postedBefore),
  };
}

/** What two invoices share when they look alike. */
export const lookKey = (invoice: { customerName: string; txnDate: string; amountCents: number }): string =>
  `${invoice.customerName}\n${invoice.txnDate}\n${invoice.amountCents}`;

/** Whole cents as decimal text: 105 → "1.05". */
export const centsText = (cents: number): string => (cents / 100).toFixed(2);

/** What invoices are billed in, each code once. */
export const currenciesOf = (invoices: readonly { currency: string | null }[]): string[] =>
  [...new Set(invoices.flatMap(({ currency }) => currency ?? []))].toSorted();

function shareOf(entries: readonly CheckedEntry[]) {
  const cents = entries.reduce((sum, { amountCents }) => sum + (amountCents ?? 0), 0);
  const rows = entries.reduce((sum, entry) => sum + entry.rows.length, 0);
  return { invoices: entries.length, rows, amount: centsText(cents) };
}

/** Errors first, then by how often; a group's sentence is its first problem's, without the cell. */
function groupProblems(problems: readonly Problem[]): ProblemGroup[] {
  const groups = Map.groupBy(problems, (problem) => `${problem.code}\n${withoutCell(problem)}`);
  return [...groups.values()]
    .map((group) => {
      const [first] = group as [Problem, ...Problem[]];
      const rows = rowRanges(group.map(({ row }) => row));
      return {
        code: first.code,
        severity: first.severity,
        text: withoutCell(first),
        count: group.length,
        rows,
      };
    })
    .toSorted((one, other) => one.severity.localeCompare(other.severity) || other.count - one.count);
}

function withoutCell({ cell, text }: Problem): string {
  return text.startsWith(`${cell}: `) ? text.slice(cell.length + 2) : text;
}

function findLookalikes(entries: readonly CheckedEntry[], postedBefore: PostedBefore) {
  const ready = entries.flatMap((entry) => {
    const { customerName, txnDate, amountCents } = entry;
    if (entry.state !== "ready" || txnDate === null || amountCents === null) return [];
    return [{ entry, look: lookKey({ customerName, txnDate, amountCents }) }];
  });
  const within = [...Map.groupBy(ready, ({ look }) => look).values()].filter((group) => group.length > 1);
  const before = ready.filter(({ look }) => postedBefore.has(look));
  return [
    ...within.map((group) => ({
      rows: rowRanges(group.flatMap(({ entry }) => [...entry.rows])),
      text: `${group.length} invoices for ${group[0]?.entry.customerName} of the same date and amount (${moneyText(group[0]?.entry)}).`,
    })),
    ...before.map(({ entry, look }) => ({
      rows: rowRanges([...entry.rows]),
      text: `Like invoice ${postedBefore.get(look)?.docNumber ?? ""} posted from "${postedBefore.get(look)?.fileName}": same customer, date and amount.`,
    })),
  ];
}

const moneyText = (entry: CheckedEntry | undefined) =>
  [centsText(entry?.amountCents ?? 0), entry?.currency].filter(Boolean).join(" ");
