import type { Books } from "#integrations/intuit/client.ts";
import type { Invoice } from "#integrations/intuit/wire.ts";
import {
  judgeEqual,
  judgeNumbered,
  judgeSimilar,
  judgeUnnumbered,
  type Rivals,
} from "#features/books/rules-match.ts";
import { CLOCKS_DIFFER_MS } from "#features/books/rules-match.ts";
import { VENDOR, type InvoiceToMake } from "#features/books/rules.ts";
import type { Db } from "#platform/db/connect.ts";
import type { Evidence } from "#platform/writes/evidence.ts";
import type { Item } from "#platform/writes/operation.ts";
import { findClaims } from "#platform/writes/store.ts";

type Make = Item<InvoiceToMake>;

export type Search = {
  db: Db;
  realmId: string;
  books: Books;
  findRivals(): Promise<Rivals>;
};

/**
 * Searches the books for invoices in doubt: those with a number by all their numbers in one query, the others by the
 * time since the first was sent. Never by a customer's history.
 */
export async function findMade(search: Search, items: readonly Make[]): Promise<Map<string, Evidence>> {
  const numbered = items.filter(({ write }) => write.vendorKey !== null);
  const others = items.filter(({ write }) => write.vendorKey === null);
  return new Map([
    ...(numbered.length > 0 ? await findNumbered(search, numbered) : []),
    ...(others.length > 0 ? await findUnnumbered(search, others) : []),
  ]);
}

async function findNumbered(search: Search, items: readonly Make[]): Promise<Map<string, Evidence>> {
  const { books } = search;
  const numbers = items.flatMap(({ write }) => write.vendorKey ?? []);
  const byNumber = (await books.findInvoicesByNumbers(numbers)).data;
  // A number that no query can hold is compared here, among what was made since.
  const unasked = items.filter(({ write }) => byNumber.unqueryable.includes(write.vendorKey ?? ""));
  const since = unasked.length > 0 ? await madeSince(search, unasked) : [];
  // What a refusal names is read by its id: no lag of an index hides that.
  const holders = items.flatMap(({ write }) => holderOf(write) ?? []);
  const named = holders.length > 0 ? (await books.findInvoicesById(holders)).data : [];
  const all = new Map([...byNumber.invoices, ...since, ...named].map((one) => [one.Id, one]));
  const claimed = await claimedOf(search, [...all.keys()]);
  return new Map(
    items.map((item) => {
      const { write } = item;
      const found = [...all.values()].filter(
        ({ Id, DocNumber }) => DocNumber === write.vendorKey || Id === holderOf(write),
      );
      const free = found.filter(({ Id }) => !claimed.has(Id));
      const isTaken = (found.length > 0 && free.length === 0) || isHeldByOther(write);
      return [write.part, isTaken ? duplicateNumber(write) : judgeNumbered(item, free)];
    }),
  );
}

async function findUnnumbered(search: Search, items: readonly Make[]): Promise<Map<string, Evidence>> {
  // Read before the claims: what is settled meanwhile is among the one or the other.
  const rivals = await search.findRivals();
  return judgeUnnumbered(items, await unclaimed(search, await madeSince(search, items)), rivals);
}

/** Reads once what was made since a run was added. @returns what judges open writes by it, one after the other */
export async function findMadeSince(
  search: Search,
  since: Date,
): Promise<((items: readonly Make[]) => Map<string, Evidence>)[]> {
  const from = new Date(since.getTime() - CLOCKS_DIFFER_MS);
  const { data } = await search.books.findInvoicesMadeSince(from);
  // Read before the claims: what is settled meanwhile is among the one or the other.
  const rivals = data.length > 0 ? await search.findRivals() : NO_RIVALS;
  const left = new Set(await unclaimed(search, data));
  if (left.size === 0) return [];
  return [(items) => judgeEqual(items, left, rivals), (items) => judgeSimilar(items, left, rivals)];
}

const NO_RIVALS: Rivals = { own: [], foreign: [] };

async function madeSince({ books }: Search, items: readonly Make[]): Promise<Invoice[]> {
  const sent = items.flatMap(({ write }) => write.firstSentAt?.getTime() ?? []);
  if (sent.length === 0) return [];
  const { data } = await books.findInvoicesMadeSince(new Date(Math.min(...sent) - CLOCKS_DIFFER_MS));
  return data;
}

async function unclaimed(search: Search, found: readonly Invoice[]): Promise<Invoice[]> {
  const claimed = await claimedOf(
    search,
    found.map(({ Id }) => Id),
  );
  return found.filter(({ Id }) => !claimed.has(Id));
}

async function claimedOf({ db, realmId }: Search, ids: readonly string[]): Promise<Set<string>> {
  const claims = await findClaims(db, { realmId, vendor: VENDOR }, ids);
  return new Set(claims.map(({ vendorId }) => vendorId));
}

const holderOf = ({ refusal }: Make["write"]): string | null =>
  refusal?.params["holderType"] === "Invoice" ? String(refusal.params["holderId"]) : null;

/** The number is on a transaction that is no invoice. */
const isHeldByOther = ({ refusal }: Make["write"]): boolean => {
  const type = refusal?.params["holderType"];
  return typeof type === "string" && type !== "Invoice";
};

const duplicateNumber = ({ refusal }: Make["write"]): Evidence => ({
  kind: "excluded",
  cause: refusal ?? { code: "duplicate_number", params: {}, tid: null },
});
