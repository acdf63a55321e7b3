import type { Books } from "#integrations/intuit/client.ts";
import { AUTO_NUMBER } from "#integrations/intuit/invoice-body.ts";
import { FIRST_SYNC_TOKEN } from "#integrations/intuit/detect-change.ts";
import type { Invoice } from "#integrations/intuit/wire.ts";
import { hasSameMoney, readAnswer } from "#features/books/rules-answer.ts";
import { hasSameItems, isIdentical, sortInvoices, sortSent } from "#features/books/rules-same.ts";
import type { InvoiceDraft, InvoiceToMake } from "#features/books/rules.ts";
import type { Cause, Evidence, WriteAnswer } from "#platform/writes/evidence.ts";
import type { Item } from "#platform/writes/operation.ts";
import { IN_DOUBT } from "#platform/writes/decide.ts";

type Make = Item<InvoiceToMake>;

/** An invoice sent by another open write: an invoice identical to it is not ours. */
export type Rival = InvoiceToMake & { fingerprint: string };

/** Other open writes of a company, split by whether they belong to the same command. */
export type Rivals = { own: readonly Rival[]; foreign: readonly Rival[] };

/** Maximum clock difference of well-kept machines, used where Intuit's clock is not known. */
export const CLOCKS_DIFFER_MS = 5 * 60_000;
/** The earliest moment by Intuit's clock at which something of ours can have been done. */
export const earliestAt = (books: Pick<Books, "vendorTime">, since: Date): Date =>
  books.vendorTime(since) ?? new Date(since.getTime() - CLOCKS_DIFFER_MS);

/** More than the longest time Intuit works on a call. */
const CALL_TAKES_MS = 3 * 60_000;
/**
 * Calls are done sooner, but for outages. Later, an equal invoice may as well be one that a user typed: no user
 * types one in the same seconds.
 */
const CALL_USUALLY_TAKES_MS = 10_000;

/** Part of an invoice from QuickBooks that is stored. */
export function toAnswer(body: InvoiceToMake, invoice: Invoice, tid: string | null): WriteAnswer {
  const { qboId, ...facts } = readAnswer(body, invoice);
  return { id: qboId, facts, tid };
}

/**
 * Reports a found invoice. A user may have edited it, so it counts as unchanged only in its first
 * version.
 */
function found(body: InvoiceToMake, invoice: Invoice): Evidence {
  return { kind: "found", answer: toAnswer(body, { ...invoice, SyncToken: FIRST_SYNC_TOKEN }, null) };
}

/**
 * Matches a numbered invoice with the invoices that have its number and belong to no write. One
 * that the first call collided with was there before, unless an earlier holder of the run created
 * it: then it is identical. Any other identical one may be ours whenever it was created: by the
 * holder of a copied ledger, or while our clock was wrong.
 */
export function matchNumbered({ write, body }: Make, free: readonly Invoice[]): Evidence {
  const [only, ...others] = free;
  if (!only) return { kind: "absent" };
  const wasThere = write.refusal?.conflict === "first";
  const mayBeOurs = free.filter((invoice) => {
    const isInTime = isOfCustomer(body, invoice) && isCreatedInTime(write, invoice);
    return wasThere ? isInTime && isIdentical(body, invoice) : isInTime || isIdentical(body, invoice);
  });
  if (mayBeOurs.length === 0) return { kind: "excluded", cause: write.refusal ?? TAKEN };
  const hasValues = only.TxnDate === body.draft.TxnDate && hasSameMoney(readAnswer(body, only));
  const isEqual = isIdentical(body, only);
  // Where Intuit's clock is not known, its times say nothing against an equal invoice.
  const isInTime = isCreatedInTime(write, only) || (isEqual && write.madeFrom === null);
  if (hasValues && isInTime && others.length === 0) return found(body, only);
  if (isEqual) return maybeSame(only);
  return { kind: "similar", cause: { ...ALTERED, params: { number: write.vendorKey } } };
}

/**
 * Matches a write whose number no invoice has by what was made since and belongs to no write: users may have changed the
 * number of ours meanwhile. One that is in its first version was made with its number, and is another's.
 */
export function matchRenumbered(item: Make, free: readonly Invoice[], { own, foreign }: Rivals): Evidence {
  const { write, body } = item;
  const [only, ...others] = free.filter(
    (invoice) =>
      invoice.SyncToken !== FIRST_SYNC_TOKEN &&
      isCreatedInTime(write, invoice) &&
      isIdentical(body, invoice) &&
      ![...own, ...foreign].some((rival) => matches(rival, invoice)),
  );
  if (!only) return ABSENT;
  const isSure = others.length === 0 && isCreatedInTime(write, only, CALL_USUALLY_TAKES_MS);
  return isSure ? found(body, only) : maybeSame(only);
}

/**
 * Matches invoices whose numbers QuickBooks does not check with those created since that belong to no write. Equal
 * writes of one command are interchangeable, unless the file gives them different numbers: each found invoice is assigned
 * to one of them.
 * @param rivals other open writes of the company, of this command and of others
 */
export function matchUnnumbered(
  items: readonly Make[],
  free: readonly Invoice[],
  rivals: Rivals,
): Map<string, Evidence> {
  const left = sortInvoices(free);
  const strangers = free.filter(isStrangeTo(rivals));
  const foreign = sortSent(rivals.foreign);
  const toKey = ({ fingerprint }: { fingerprint: string }, { draft }: InvoiceToMake) =>
    `${fingerprint}\n${givenNumber(draft) ?? ""}`;
  const openOnes = Map.groupBy(rivals.own, (rival) => toKey(rival, rival));
  const groups = Map.groupBy(numberedFirst(items), ({ write, body }) => toKey(write, body));
  const matched = [...groups].flatMap(([key, group]) => {
    const [first] = group;
    if (!first) return [];
    const same = [...left.like(first.body)].filter(
      (invoice) => isCreatedInTime(first.write, invoice) && matches(first.body, invoice),
    );
    const equalOpen = openOnes.get(key)?.length ?? 0;
    const isContested = same.some((made) => foreign(made).some((rival) => matches(rival, made)));
    const isSure = same.every((invoice) => isCreatedInTime(first.write, invoice, CALL_USUALLY_TAKES_MS));
    const [invoice] = same;
    if (invoice && (same.length > Math.max(equalOpen, group.length) || isContested || !isSure))
      return group.map(({ write }) => [write.part, maybeSame(invoice)] as const);
    return group.map(({ write, body }, index) => {
      const made = same[index];
      if (made) left.delete(made);
      if (made) return [write.part, found(body, made)] as const;
      return [write.part, hasSimilar({ write, body }, strangers) ? SIMILAR : ABSENT] as const;
    });
  });
  return new Map(matched);
}

/**
 * Whether an unmatched invoice may be ours although it differs: QuickBooks may store values other
 * than those sent.
 */
function hasSimilar({ write, body }: Make, strangers: readonly Invoice[]): boolean {
  return strangers.some(
    (invoice) =>
      isCreatedInTime(write, invoice) &&
      isOfCustomer(body, invoice) &&
      hasSameItems(body.draft, invoice) &&
      !matches(body, invoice),
  );
}

/** Whether an invoice equals none of the open writes. */
function isStrangeTo({ own, foreign }: Rivals): (invoice: Invoice) => boolean {
  const open = sortSent([...own, ...foreign]);
  return (invoice) => !open(invoice).some((rival) => matches(rival, invoice));
}

/**
 * Matches open writes with invoices created since their run was added: a previous holder of the
 * run, or of a copied ledger, may have created them at any time. An invoice that an open write of
 * another command may have created is assigned to neither.
 * @param left created invoices that belong to no write; matched ones are removed
 * @param foreign open writes of other commands
 */
export function matchEqual(
  items: readonly Make[],
  left: Set<Invoice>,
  { foreign }: Pick<Rivals, "foreign">,
): Map<string, Evidence> {
  const matched = new Map<string, Evidence>();
  const sorted = sortInvoices(left);
  const rivals = sortSent(foreign);
  for (const { write, body } of numberedFirst(items)) {
    const isEqual = (invoice: Invoice) =>
      (write.vendorKey === null || invoice.DocNumber === write.vendorKey) &&
      isCreatedSince(write, invoice) &&
      matches(body, invoice);
    let equal: Invoice | undefined;
    for (const invoice of sorted.like(body)) {
      const isInTime = isCreatedInTime(write, invoice);
      if ((equal && !isInTime) || !isEqual(invoice)) continue;
      equal = invoice;
      if (isInTime) break;
    }
    if (!equal) continue;
    left.delete(equal);
    sorted.delete(equal);
    const isContested = rivals(equal).some((rival) => matches(rival, equal));
    matched.set(write.part, isContested ? maybeSame(equal) : found(body, equal));
  }
  return matched;
}

/**
 * Matches open writes with created invoices that equal none of them: QuickBooks may store values
 * other than those sent. Only after all writes were compared for equality.
 */
export function matchSimilar(
  items: readonly Make[],
  left: Iterable<Invoice>,
  rivals: Rivals,
): Map<string, Evidence> {
  const strangers = [...left].filter(isStrangeTo(rivals));
  return new Map(
    items.flatMap(({ write, body }) =>
      strangers.some((stranger) => couldMatch({ write, body }, stranger))
        ? [[write.part, SIMILAR] as const]
        : [],
    ),
  );
}

/** True if an invoice equals the one that a write sends, including its number if it gives one. */
export const matches = (sent: InvoiceToMake, invoice: Invoice): boolean =>
  isIdentical(sent, invoice) && [undefined, invoice.DocNumber].includes(givenNumber(sent.draft));

const givenNumber = ({ DocNumber }: InvoiceDraft): string | undefined =>
  DocNumber === AUTO_NUMBER ? undefined : DocNumber;

/** Puts writes that give a number first: an invoice with it is theirs, rather than that of an equal one without a number. */
const numberedFirst = (items: readonly Make[]): Make[] =>
  items.toSorted((a, b) => Number(isNumbered(b)) - Number(isNumbered(a)));

const isNumbered = ({ body }: Make): boolean => givenNumber(body.draft) !== undefined;

function couldMatch({ write, body }: Make, invoice: Invoice): boolean {
  if (!isOfCustomer(body, invoice) || !isCreatedSince(write, invoice)) return false;
  if (write.vendorKey !== null) return invoice.DocNumber === write.vendorKey;
  return (
    invoice.TxnDate === body.draft.TxnDate &&
    hasSameItems(body.draft, invoice) &&
    hasSameMoney(readAnswer(body, invoice))
  );
}

const isOfCustomer = ({ draft }: InvoiceToMake, { CustomerRef }: Invoice) =>
  CustomerRef?.value === draft.CustomerRef.value;

/**
 * Whether the invoice was created during one of our calls. Otherwise a user entered it by hand.
 */
function isCreatedInTime(write: Make["write"], invoice: Invoice, takesMs = CALL_TAKES_MS): boolean {
  const until = createdUntilMs(write, takesMs);
  return isCreatedSince(write, invoice) && (createdMs(invoice) ?? until) <= until;
}

/** The last moment, by Intuit's clock, at which a sent write can have been done. */
export function createdUntilMs(
  { madeUntil, lastSentAt, firstSentAt }: Make["write"],
  takesMs = CALL_TAKES_MS,
): number {
  const sentAt = lastSentAt ?? firstSentAt;
  return (madeUntil?.getTime() ?? (sentAt ? sentAt.getTime() + CLOCKS_DIFFER_MS : Infinity)) + takesMs;
}

type Sent = { firstSentAt: Date | null; madeFrom?: Date | null };

/** The earliest moment, by Intuit's clock, at which a sent write can have been done. */
export const createdFrom = ({ madeFrom, firstSentAt }: Sent): Date | null =>
  madeFrom ?? (firstSentAt && new Date(firstSentAt.getTime() - CLOCKS_DIFFER_MS));

/** Whether it was created after a write was first sent, by us or by others. */
export const isCreatedSince = (write: Sent, invoice: Invoice): boolean =>
  (createdMs(invoice) ?? Infinity) >= (createdFrom(write)?.getTime() ?? -Infinity);

const createdMs = ({ MetaData }: Invoice): number | null =>
  MetaData?.CreateTime === undefined ? null : Date.parse(MetaData.CreateTime);

const ABSENT: Evidence = { kind: "absent" };
const SIMILAR: Evidence = { kind: "similar", cause: IN_DOUBT };
/** It says the same, and a user may have made it: only a user can tell. */
const maybeSame = (invoice: Invoice): Evidence => ({
  kind: "similar",
  cause: { code: "maybe_same", params: { number: invoice.DocNumber ?? null }, tid: null },
});
const TAKEN: Cause = { code: "duplicate_number", params: {}, tid: null };
/**
 * The number belongs to an invoice of the same customer that was created at the same time with
 * other values.
 */
const ALTERED: Cause = { code: "altered", params: {}, tid: null };
