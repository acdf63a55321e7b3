import type * as z from "zod";
import { findEntries, type Entry, type Place } from "#features/audit/index.ts";
import type { Company } from "#features/companies/rules.ts";
import type { listTrail, TrailEntry } from "#features/companies/trail/contract.ts";
import {
  actionsTitled,
  BY_OPERATOR,
  CSV_HEADS,
  keyText,
  OPERATOR,
  entrySentence,
} from "#features/companies/trail/sentences.ts";
import { CSV_START, csvLine } from "#formats/csv/write-csv.ts";
import type { Ctx } from "#platform/ctx.ts";

const CSV_PAGE = 1_000;

type Query = z.output<typeof listTrail.query>;

/** Lists one page of a company's audit trail, newest first. */
export async function listEntries(
  { db }: Ctx,
  { realmId }: Company,
  { search, before, limit }: Query,
): Promise<{ entries: TrailEntry[]; next: string | null }> {
  const actions = actionsTitled(search);
  const place = before ? readPlace(before) : null;
  const found = await findEntries(db, { realmId, search, actions, before: place, limit: limit + 1 });
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : undefined;
  return { entries: page.map(toEntry), next: last ? `${last.at.getTime()}.${last.id}` : null };
}

/** Writes the trail of a company as CSV lines, page by page to bound memory. */
export async function* writeEntries(
  { db }: Ctx,
  { realmId }: Company,
  search: string,
): AsyncGenerator<string> {
  yield CSV_START + csvLine(CSV_HEADS);
  const actions = actionsTitled(search);
  let before: Place | null = null;
  do {
    const found: Entry[] = await findEntries(db, { realmId, search, actions, before, limit: CSV_PAGE });
    if (found.length > 0) yield found.map((entry) => toCsvLine(toEntry(entry))).join("");
    before = found.length < CSV_PAGE ? null : (found.at(-1) ?? null);
  } while (before !== null);
}

function toCsvLine({ at, user, title, changes, request_id: requestId }: TrailEntry): string {
  const side = (which: "before" | "after") =>
    changes.flatMap((each) => (each[which] === null ? [] : `${each.name}: ${each[which]}`)).join("; ");
  return csvLine([at, user ?? "", title, side("before"), side("after"), requestId]);
}

function readPlace(text: string): Place {
  const [ms = "", id = ""] = text.split(".");
  return { at: new Date(Number(ms)), id };
}

function toEntry({ id, at, email, action, ids, before, after, requestId }: Entry): TrailEntry {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const { title, said } = entrySentence(action, { before: before ?? {}, after: after ?? {} });
  const changes = names
    .filter((name) => !said(name))
    .map((name) => ({
      name: name.replaceAll("_", " "),
      before: toText(before?.[name]),
      after: toText(after?.[name]),
    }))
    // Drops values that are empty before and after, such as the first company of a session.
    .filter((change) => change.before || change.after);
  const changed = changes.filter((change) => change.before !== change.after);
  return {
    id,
    at: at.toISOString(),
    user: email ?? keyText(ids["key_name"]) ?? (requestId.startsWith(BY_OPERATOR) ? OPERATOR : null),
    action,
    title,
    // Forms send all their values; where none changed, such as an account that is connected again, they are facts.
    changes: changed.length > 0 ? changed : changes.map((change) => ({ ...change, before: null })),
    request_id: requestId,
  };
}

function toText(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (value === true || value === "true") return "yes";
  if (value === false || value === "false") return "no";
  if (Array.isArray(value)) return value.map((each) => toText(each) ?? "").join(", ");
  if (typeof value === "object")
    return Object.entries(value)
      .flatMap(([name, each]) => (toText(each) ? [`${name.replaceAll("_", " ")} ${toText(each)}`] : []))
      .join(" ");
  return String(value as string | number);
}
