import type { ListName, ListPage, Shown } from "#features/admin/lists/contract.ts";
import { findGranted, hideContents, type Viewer } from "#features/admin/lists/hide-contents.ts";
import { LIST_SOURCES } from "#features/admin/lists/sources.ts";
import { findRows, type PageEnd, type RowQuery } from "#features/admin/lists/store.ts";
import { CSV_START, csvLine } from "#formats/csv/write-csv.ts";
import type { Reads } from "#platform/db/replica.ts";
import { badRequest } from "#platform/errors.ts";

const CSV_PAGE = 1_000;

type Query = { search: string; show: Shown; from?: string | undefined; until?: string | undefined };

/** Where a list is read, and by whom. */
type Access = { reads: Reads; viewer: Viewer };

/** Builds the query except its page; without an end the range is open. */
const toRowQuery = ({ search, show, from, until }: Query) => ({
  search,
  show,
  range: from === undefined ? null : { from: new Date(from), until: new Date(until ?? FOREVER) },
});
const FOREVER = "9999-01-01T00:00:00Z";

/** Lists one page, newest first. @throws AppError 400 for a place of another list */
export async function readPage(
  { reads, viewer }: Access,
  list: ListName,
  { before, limit, ...query }: Query & { before?: string | undefined; limit: number },
): Promise<ListPage> {
  const place = before === undefined ? null : readPlace(list, before);
  const rowQuery = { ...toRowQuery(query), before: place, limit: limit + 1 };
  const { value: found, lagSeconds } = await reads.read((db) => findRows(db, LIST_SOURCES[list], rowQuery));
  const last = found.length > limit ? found[limit - 1] : undefined;
  const rows = found.slice(0, limit).map(await chooseWire(list, viewer));
  // The reply is checked against the columns of its list.
  const next = last ? `${last.place_at}.${last.key}` : null;
  return { list, rows, next, replica_lag_seconds: lagSeconds } as unknown as ListPage;
}

/** Writes a list as CSV lines, page by page to bound memory. */
export async function* writeList({ reads, viewer }: Access, list: ListName, query: Query) {
  let before: PageEnd | null = null;
  let isFirst = true;
  const toWire = await chooseWire(list, viewer);
  do {
    const found = await readRows(reads, list, {
      ...toRowQuery(query),
      before,
      limit: CSV_PAGE,
    });
    const rows = found.map(toWire);
    if (isFirst) yield CSV_START + csvLine(rows[0] ? Object.keys(rows[0]) : []);
    isFirst = false;
    yield rows.map((row) => csvLine(Object.values(row).map((value) => String(value ?? "")))).join("");
    const last = found.at(-1);
    before = found.length === CSV_PAGE && last ? { at: last.place_at, key: last.key } : null;
  } while (before !== null);
}

const readRows = async (reads: Reads, list: ListName, rowQuery: RowQuery) =>
  (await reads.read((db) => findRows(db, LIST_SOURCES[list], rowQuery))).value;

/** Chooses how a row of a list is shown: an operator sees no contents of a company without its grant. */
async function chooseWire(list: ListName, viewer: Viewer) {
  if (list !== "audit") return writeRow;
  const granted = await findGranted(viewer);
  return (row: Record<string, unknown>) => hideContents(writeRow(row), granted);
}

function writeRow({ place_at: _place, ...row }: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value]),
  );
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function readPlace(list: ListName, text: string): PageEnd {
  const [at = "", key = ""] = text.split(/\.(.*)/s);
  if (LIST_SOURCES[list].hasUuids && !UUID.test(key))
    throw badRequest(
      "invalid_request",
      `The query parameter "before" isn't a position in the list of ${list}.`,
    );
  return { at: Number(at), key };
}
