import type { SheetKind } from "#formats/table/define-sheet.ts";
import type { Problem } from "#formats/table/problem.ts";
import { toRanges, rangesText } from "#formats/text/phrases.ts";
import type { SheetNames } from "#formats/text/sheet-rows.ts";
import { columnName } from "#formats/xlsx/cell-names.ts";
import type { ProblemGroup } from "#features/sheets/contract.ts";

/**
 * Problems with one cause. With `isKind` the group has one rule and column but many causes, and `problem` is an example.
 * `rows` are ranges from `toRanges`.
 */
export type ProblemFacts = { problem: Problem; isKind: boolean; count: number; rows: readonly number[] };

/** Maximum number of groups for one rule and column; further causes share one group. */
const MAX_CAUSES = 20;

type Group = { problem: Problem; isKind: boolean; rows: number[] };
/** `causes` counts the causes for each rule and column. */
type Causes = { groups: Map<string, Group>; causes: Map<string, number> };

/** Groups problems by cause incrementally. */
export function collectProblems() {
  const found: Causes = { groups: new Map(), causes: new Map() };
  return {
    add: (problem: Problem): void => addProblem(found, problem),
    groups: (): ProblemFacts[] => listGroups(found),
  };
}

/** Groups problems by cause. */
export function groupProblems(problems: readonly Problem[]): ProblemFacts[] {
  const found = collectProblems();
  for (const problem of problems) found.add(problem);
  return found.groups();
}

/** Problems have the same cause if they differ only in their rows. */
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

/** Sorts errors first, then by count. Sorts rows, because problems arrive by record and records can interleave. */
function listGroups({ groups }: Causes): ProblemFacts[] {
  const rank = ({ problem }: ProblemFacts) => SEVERITIES.indexOf(problem.severity);
  return Array.from(groups.values(), ({ rows, ...group }) => ({
    ...group,
    count: rows.length,
    rows: toRanges(rows.toSorted((a, b) => a - b)),
  })).toSorted((a, b) => rank(a) - rank(b) || b.count - a.count);
}

/** Converts a group for the reply. @param said.text sentence of its problem */
export function toProblemGroup(
  kind: SheetKind,
  { problem, isKind, count, rows }: ProblemFacts,
  { text, sheets = [] }: { text: string; sheets?: SheetNames },
): ProblemGroup {
  const { code, severity, field, column } = problem;
  const header = field === null ? undefined : kind.fields[field]?.header;
  const where = header === undefined ? "" : ` in column "${header}"`;
  return {
    code,
    severity,
    column: column === null ? "" : columnName(column),
    text: isKind ? `More of the same kind${where}, such as: ${text}` : text,
    count,
    rows: rangesText(rows, sheets),
  };
}
