import type { Books } from "#integrations/intuit/client.ts";
import { isVoided } from "#integrations/intuit/detect-change.ts";
import type { Invoice } from "#integrations/intuit/wire.ts";
import { findHalt, isOutage, isVendorFailure, toEvidence } from "#features/books/rules-faults.ts";
import {
  createdFrom,
  createdUntilMs,
  earliestAt,
  matchEqual,
  matchNumbered,
  matchRenumbered,
  matchSimilar,
  matchUnnumbered,
  type Rivals,
  toAnswer,
} from "#features/books/rules-match.ts";
import { toBooksInvoice, type BooksInvoice } from "#features/books/shipping/rules.ts";
import { type InvoiceDraft, type InvoiceToMake, VENDOR } from "#features/books/rules.ts";
import type { Item, Operation } from "#platform/writes/operation.ts";
import type { Db } from "#platform/db/connect.ts";
import type { Evidence } from "#platform/writes/evidence.ts";
import { findClaims } from "#platform/writes/store.ts";

type CreatedInvoice = { invoice: Invoice; tid: string | null };

/** Creates invoices in a company's books. */
export function createInvoices(
  books: Books,
  {
    loadBodies,
    noteMade,
    ...search
  }: Omit<Search, "books"> &
    Pick<Operation<InvoiceToMake, InvoiceDraft, CreatedInvoice>, "loadBodies"> & {
      /** Receives each invoice that QuickBooks answers. */
      noteMade(invoice: BooksInvoice): void;
    },
): Operation<InvoiceToMake, InvoiceDraft, CreatedInvoice> {
  const accept = (body: InvoiceToMake, { invoice, tid }: CreatedInvoice): Evidence => {
    noteMade(toBooksInvoice(invoice));
    return { kind: "accepted", answer: toAnswer(body, invoice, tid) };
  };
  return {
    loadBodies,
    toRequest: ({ body }) => body.draft,
    sendAlone: async (draft, options) => {
      const { data, tid } = await books.createInvoice(draft, options);
      return { invoice: data, tid };
    },
    sendTogether: async (drafts, options) => {
      const items = drafts.map(
        (Invoice, place) => ({ bId: String(place), operation: "create", Invoice }) as const,
      );
      const { data, tid } = await books.batch(items, options);
      return data.map((reply) =>
        "ok" in reply ? { ok: { invoice: reply.ok, tid } } : { error: reply.fault },
      );
    },
    readRepeated: async (_item, { invoice, tid }) => {
      const [there] = (await books.findInvoicesById([invoice.Id])).data;
      if (there && !isVoided(there)) return null;
      const code = there ? "voided" : "deleted";
      return { kind: "excluded", cause: { code, params: { number: invoice.DocNumber ?? null }, tid } };
    },
    classify: ({ write, body }, outcome) => {
      if ("ok" in outcome) return accept(body, outcome.ok);
      // A number that QuickBooks itself assigned being taken says nothing about our invoice.
      return toEvidence(outcome.error, write.vendorKey === null ? [] : ["duplicateDoc"]);
    },
    lookUp: (items) => findCreated({ ...search, books }, items),
    findCreatedSince: (since) => findCreatedSince({ ...search, books }, since),
    moment: books.arrival,
    findHalt,
    isVendorFailure,
    isOutage,
  };
}

type Make = Item<InvoiceToMake>;

export type Search = {
  db: Db;
  realmId: string;
  books: Books;
  findRivals(): Promise<Rivals>;
};

/**
 * Searches the books for invoices in doubt: numbered ones by all their numbers in one query, others
 * by creation time since the first was sent. Never reads a customer's history.
 */
async function findCreated(search: Search, items: readonly Make[]): Promise<Map<string, Evidence>> {
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
  // A number that no query can hold is compared here, among the recently created invoices.
  const unasked = items.filter(({ write }) => byNumber.unqueryable.includes(write.vendorKey ?? ""));
  const since = unasked.length > 0 ? await listCreatedSince(search, unasked, { isEndless: true }) : [];
  // An object named in a refusal is read by its id, which no index delay can hide.
  const holders = items.flatMap(({ write }) => findHolder(write) ?? []);
  const named = holders.length > 0 ? (await books.findInvoicesById(holders)).data : [];
  const all = new Map([...byNumber.invoices, ...since, ...named].map((reply) => [reply.Id, reply]));
  const claimed = await findClaimed(search, [...all.keys()]);
  const byIdentity = await findRenumbered(search, { items, found: all });
  return new Map(
    items.map((item) => {
      const { write } = item;
      const renumbered = byIdentity.get(write.part);
      if (renumbered) return [write.part, renumbered];
      const found = [...all.values()].filter(
        ({ Id, DocNumber }) => DocNumber === write.vendorKey || Id === findHolder(write),
      );
      const free = found.filter(({ Id }) => !claimed.has(Id));
      const isTaken = (found.length > 0 && free.length === 0) || isHeldByOther(write);
      return [write.part, isTaken ? duplicateNumber(write) : matchNumbered(item, free)];
    }),
  );
}

/**
 * Looks for those whose number is not in the books by all else that they say: they left in a batch, which has no request
 * id, and may be there under another number.
 */
async function findRenumbered(
  search: Search,
  { items, found }: { items: readonly Make[]; found: ReadonlyMap<string, Invoice> },
): Promise<Map<string, Evidence>> {
  const numbers = new Set([...found.values()].map(({ DocNumber }) => DocNumber));
  const missing = items.filter(
    ({ write }) => write.refusal === null && !numbers.has(write.vendorKey ?? undefined),
  );
  if (missing.length === 0) return new Map();
  const rivals = await search.findRivals();
  const free = await unclaimed(search, await listCreatedSince(search, missing));
  return new Map(missing.map((item) => [item.write.part, matchRenumbered(item, free, rivals)] as const));
}

async function findUnnumbered(search: Search, items: readonly Make[]): Promise<Map<string, Evidence>> {
  // Read before the claims: an invoice settled in between shows in one or the other.
  const rivals = await search.findRivals();
  return matchUnnumbered(items, await unclaimed(search, await listCreatedSince(search, items)), rivals);
}

/**
 * Reads the invoices created since a run was added, once. @returns matchers of open writes, in
 * order
 */
export async function findCreatedSince(
  search: Search,
  since: Date,
): Promise<((items: readonly Make[]) => Map<string, Evidence>)[]> {
  const { data } = await search.books.findInvoicesMadeSince(earliestAt(search.books, since));
  // Read before the claims: an invoice settled in between shows in one or the other.
  const rivals = data.length > 0 ? await search.findRivals() : NO_RIVALS;
  const left = new Set(await unclaimed(search, data));
  if (left.size === 0) return [];
  return [(items) => matchEqual(items, left, rivals), (items) => matchSimilar(items, left, rivals)];
}

const NO_RIVALS: Rivals = { own: [], foreign: [] };

/** Lists what was made while calls of these were under way, or since without an end. */
async function listCreatedSince(
  { books }: Search,
  items: readonly Make[],
  { isEndless = false } = {},
): Promise<Invoice[]> {
  const sent = items.flatMap(({ write }) => createdFrom(write)?.getTime() ?? []);
  if (sent.length === 0) return [];
  const untilMs = Math.max(...items.map(({ write }) => createdUntilMs(write)));
  const until = isEndless || untilMs === Infinity ? null : new Date(untilMs);
  const { data } = await books.findInvoicesMadeSince(new Date(Math.min(...sent)), until);
  return data;
}

async function unclaimed(search: Search, found: readonly Invoice[]): Promise<Invoice[]> {
  const claimed = await findClaimed(
    search,
    found.map(({ Id }) => Id),
  );
  return found.filter(({ Id }) => !claimed.has(Id));
}

async function findClaimed({ db, realmId }: Search, ids: readonly string[]): Promise<Set<string>> {
  const claims = await findClaims(db, { realmId, vendor: VENDOR }, ids);
  return new Set(claims.map(({ vendorId }) => vendorId));
}

const findHolder = ({ refusal }: Make["write"]): string | null =>
  refusal?.params["holderType"] === "Invoice" ? String(refusal.params["holderId"]) : null;

/** Whether the number belongs to a transaction that is not an invoice. */
const isHeldByOther = ({ refusal }: Make["write"]): boolean => {
  const type = refusal?.params["holderType"];
  return typeof type === "string" && type !== "Invoice";
};

const duplicateNumber = ({ refusal }: Make["write"]): Evidence => ({
  kind: "excluded",
  cause: refusal ?? { code: "duplicate_number", params: {}, tid: null },
});
