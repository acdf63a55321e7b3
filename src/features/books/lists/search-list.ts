import type { ListKind } from "#features/books/names/contract.ts";
import type { BooksCtx } from "#features/books/ctx.ts";
import { unreadableBooks } from "#features/books/errors.ts";
import { readLists } from "#features/books/lists/read-lists.ts";
import type { BooksLists } from "#features/books/lists/rules.ts";

/** An active list entry with its full name. */
export type Entry = { id: string; name: string };

const MAX_FOUND = 20;
/**
 * Intuit meters reads; lists up to a minute old are fresh enough while a user types and chooses.
 */
const KEPT_MS = 60_000;
/** Cached lists per clock, since times of another clock don't compare with its own. */
const kept = new WeakMap<BooksCtx["clock"], Map<string, { at: number; lists: Promise<BooksLists> }>>();

/** Finds active entries whose name contains a text; those that begin with it come first. */
export async function searchList(
  ctx: BooksCtx,
  realmId: string,
  asked: { kind: ListKind; text: string },
): Promise<Entry[]> {
  const wanted = asked.text.trim().toLowerCase();
  const found = (await readEntries(ctx, realmId, asked.kind)).filter(({ name }) =>
    name.toLowerCase().includes(wanted),
  );
  const begins = ({ name }: Entry) => Number(!name.toLowerCase().startsWith(wanted));
  return found.toSorted((a, b) => begins(a) - begins(b) || a.name.localeCompare(b.name)).slice(0, MAX_FOUND);
}

/**
 * Reads all active entries of a list that an invoice line can name. @throws AppError 409 or 503 if
 * the lists cannot be read
 */
export async function readEntries(ctx: BooksCtx, realmId: string, kind: ListKind): Promise<Entry[]> {
  const lists = await readKeptLists(ctx, realmId);
  const entries: readonly { id: string; name: string; fullName?: string; active: boolean; type?: string }[] =
    {
      customer: lists.customers,
      item: lists.items.filter(({ type }) => type !== "Category" && type !== "Group"),
      term: lists.terms,
      class: lists.classes,
      department: lists.departments,
    }[kind];
  return entries
    .filter(({ active }) => active)
    .map(({ id, name, fullName }) => ({ id, name: fullName ?? name }));
}

/** Reads a company's lists, up to a minute old. @throws AppError 409 or 503 if they can't be read */
export const readKeptLists = (ctx: BooksCtx, realmId: string): Promise<BooksLists> =>
  keptLists(ctx, realmId).catch((error: unknown) => {
    throw unreadableBooks(error, { what: "lists" });
  });

/** Drops the cached lists, so that a new entry shows in the next search. */
export function forgetLists(ctx: BooksCtx, realmId: string): void {
  kept.get(ctx.clock)?.delete(realmId);
}

async function keptLists(ctx: BooksCtx, realmId: string): Promise<BooksLists> {
  const ofRealms = kept.get(ctx.clock) ?? new Map<string, { at: number; lists: Promise<BooksLists> }>();
  kept.set(ctx.clock, ofRealms);
  const known = ofRealms.get(realmId);
  // Else a machine whose time is set back would keep old lists until it is the same time again.
  const now = ctx.clock.steadyMs();
  if (known && now - known.at < KEPT_MS) return known.lists;
  // Includes other companies: the lists of a large one take megabytes.
  for (const [realm, { at }] of ofRealms) if (now - at >= KEPT_MS) ofRealms.delete(realm);
  const lists = readLists(ctx, realmId);
  ofRealms.set(realmId, { at: now, lists });
  lists.catch(() => ofRealms.delete(realmId));
  return lists;
}
