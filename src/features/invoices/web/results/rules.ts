import { PROBLEM_STATUSES, RESULT_STATUS, type UploadResult } from "#features/invoices/contract.ts";
import { uploadWords } from "#features/invoices/web/words.ts";
import type { Tone } from "#web/theme/colors.ts";

const TONES: Readonly<Record<number, Tone>> = {
  0: "gray",
  1: "gray",
  2: "red",
  3: "amber",
  4: "red",
  5: "gray",
  6: "gray",
  7: "blue",
  8: "amber",
  9: "red",
  100: "green",
  101: "green",
};

/** Word and color of a status code; an unknown code shows its number. */
export function describeStatus(code: number): { word: string; tone: Tone } {
  return { word: uploadWords.status[code] ?? uploadWords.unknownStatus(code), tone: TONES[code] ?? "amber" };
}

/** Whether a status needs a user's attention, exactly as the server's `problems` filter decides. */
export function isProblem(code: number): boolean {
  return PROBLEM_STATUSES.has(code);
}

/** Results with the same status and cause, with the rows of all of them. */
export type ResultGroup = {
  /** Unique in a list, and the same when more rows join the group. */
  key: string;
  status: number;
  message: string;
  rows: readonly string[];
  intuit_tids: UploadResult["intuit_tids"];
  posted: UploadResult["posted"];
  /** Number of invoices that the message is about; absent when it is about none. */
  invoices: number | undefined;
};

type Groups = { groups: ResultGroup[]; notes: ResultGroup[] };

/**
 * Orders results by relevance to users: problems first, equal causes together, then those in progress,
 * posted, and left out. Remarks on the file are `notes`.
 */
export function groupResults(results: readonly UploadResult[]): Groups {
  const notes = results.filter(({ remark }) => remark);
  const others = notes.length === 0 ? results : results.filter(({ remark }) => !remark);
  const byRank: ResultGroup[][] = [[], [], [], []];
  for (const group of groupByCause(joinBlocked(others))) byRank[rank(group.status)]?.push(group);
  return { groups: byRank.flat(), notes: groupByCause(notes) };
}

/**
 * Joins rows that other rows of their invoice hold back with those: one cause is listed once, with all rows that are not
 * posted because of it.
 */
function joinBlocked(results: readonly UploadResult[]): readonly UploadResult[] {
  if (!results.some(({ blocked }) => blocked)) return results;
  const causes = new Map<number, UploadResult>();
  for (const result of results)
    if (!result.blocked)
      for (const place of listPlaces(result)) if (!causes.has(place)) causes.set(place, result);
  return results.map((result) => {
    const [place = -1] = result.places ?? [];
    const cause = result.blocked ? causes.get(place) : undefined;
    return cause ? { ...cause, rows: result.rows } : result;
  });
}

const listPlaces = ({ places = [] }: UploadResult): number[] =>
  places.flatMap((first, at) =>
    at % 2 === 0
      ? Array.from({ length: (places[at + 1] ?? first) - first + 1 }, (_, index) => first + index)
      : [],
  );

type Gathered = ResultGroup & { rows: string[] };

/** Reads each result once and makes nothing for those that join a group: an upload may have 10,000. */
function groupByCause(results: readonly UploadResult[]): ResultGroup[] {
  const groups = new Map<string, Gathered>();
  const places = new Map<Gathered, Set<number>>();
  for (const result of results) {
    const { status, rows, message: own, cause, intuit_tids, posted, invoices } = result;
    const message = cause ?? own;
    // Two messages about the same number of invoices are about different ones.
    const key = `${status} ${invoices === undefined ? message : rows}`;
    let group = groups.get(key);
    if (!group) {
      group = { key, status, message, intuit_tids, posted, invoices, rows: [] };
      groups.set(key, group);
    }
    if (rows !== "") group.rows.push(rows);
    if (!result.places?.length) continue;
    const known = places.get(group) ?? new Set();
    for (const place of listPlaces(result)) known.add(place);
    places.set(group, known);
    group.invoices = known.size;
  }
  for (const group of groups.values()) if (group.rows.length > 1) group.rows = joinRanges(group.rows);
  return [...groups.values()];
}

/** Joins ranges of rows that follow each other: "2", "3-4" is "2-4". */
function joinRanges(ranges: readonly string[]): string[] {
  const joined: [number, number][] = [];
  const pairs = ranges.map((range) => range.split("-").map(Number));
  for (const [first = 0, last = first] of pairs.toSorted(([a = 0], [b = 0]) => a - b)) {
    const before = joined.at(-1);
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else joined.push([first, last]);
  }
  return joined.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`));
}

/** Lower ranks come first. */
function rank(status: number): number {
  if (isProblem(status)) return 0;
  if (status === RESULT_STATUS.completed) return 2;
  return status === RESULT_STATUS.information ? 3 : 1;
}
