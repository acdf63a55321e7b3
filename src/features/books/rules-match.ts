import { FIRST_SYNC_TOKEN } from "#integrations/intuit/detect-change.ts";
import type { Invoice } from "#integrations/intuit/wire.ts";
import { hasSameMoney, readAnswer } from "#features/books/rules-answer.ts";
import { hasSameItems, isIdentical } from "#features/books/rules-same.ts";
import type { InvoiceToMake } from "#features/books/rules.ts";
import type { Cause, Evidence, WriteAnswer } from "#platform/writes/evidence.ts";
import type { Item } from "#platform/writes/operation.ts";
import { IN_DOUBT } from "#platform/writes/decide.ts";

type Make = Item<InvoiceToMake>;

/** An invoice that another open row sent: what is identical to that is not what this one sent. */
export type Rival = InvoiceToMake & { fingerprint: string };

/** Open writes of a company, by whether they belong to the same command. */
export type Rivals = { own: readonly Rival[]; foreign: readonly Rival[] };

/** Clocks of well-kept machines differ by less. What was made at another time than we sent is not taken for ours. */
export const CLOCKS_DIFFER_MS = 5 * 60_000;
/** Longer than Intuit works on a call. */
const CALL_TAKES_MS = 3 * 60_000;

/** Stored part of an invoice that QuickBooks answered. */
export function toAnswer(body: InvoiceToMake, invoice: Invoice, tid: string | null): WriteAnswer {
  const { qboId, ...facts } = readAnswer(body, invoice);
  return { id: qboId, facts, tid };
}

/** A user may have edited what a search finds, so that it counts as unchanged only in the version we made. */
function found(body: InvoiceToMake, invoice: Invoice): Evidence {
  return { kind: "found", answer: toAnswer(body, { ...invoice, SyncToken: FIRST_SYNC_TOKEN }, null) };
}

/**
 * Matches a write whose invoice has a number of its own by the invoices that have that number and belong to no write. What
 * the first call met was there before it, unless an earlier holder of the run made it: then it is identical. What is
 * identical otherwise may be ours whenever it was made: by the holder of a copied ledger, or while our clock was wrong.
 */
export function matchNumbered({ write, body }: Make, free: readonly Invoice[]): Evidence {
  const [only, ...others] = free;
  if (!only) return { kind: "absent" };
  const wasThere = write.refusal?.conflict === "first";
  const mayBeOurs = free.filter((one) => {
    const isInTime = isOfCustomer(body, one) && isCreatedInTime(write, one);
    return wasThere ? isInTime && isIdentical(body, one) : isInTime || isIdentical(body, one);
  });
  if (mayBeOurs.length === 0) return { kind: "excluded", cause: write.refusal ?? TAKEN };
  const hasValues = only.TxnDate === body.draft.TxnDate && hasSameMoney(readAnswer(body, only));
  if (hasValues && isCreatedInTime(write, only) && others.length === 0) return found(body, only);
  return { kind: "similar", cause: { ...ALTERED, params: { number: write.vendorKey } } };
}

/**
 * Matches writes whose invoices have no number by what was made since and belongs to no write. Equal writes of one
 * command may stand for each other: each found invoice goes to one of them.
 * @param rivals other open writes of the company, of this command and of others
 */
export function matchUnnumbered(
  items: readonly Make[],
  free: readonly Invoice[],
  rivals: Rivals,
): Map<string, Evidence> {
  const groups = Map.groupBy(items, ({ write }) => write.fingerprint);
  const matched = [...groups].flatMap(([fingerprint, group]) => {
    const [first] = group;
    if (!first) return [];
    const same = free.filter((one) => isCreatedInTime(first.write, one) && isIdentical(first.body, one));
    const equalOpen = rivals.own.filter((rival) => rival.fingerprint === fingerprint).length;
    const isContested = rivals.foreign.some((rival) => rival.fingerprint === fingerprint);
    if (same.length > Math.max(equalOpen, group.length) || (same.length > 0 && isContested))
      return group.map(({ write }) => [write.part, SIMILAR] as const);
    return group.map(({ write, body }, index) => {
      const made = same[index];
      if (made) return [write.part, found(body, made)] as const;
      return [write.part, hasSimilar({ write, body }, free, rivals) ? SIMILAR : ABSENT] as const;
    });
  });
  return new Map(matched);
}

/** Whether something may be it that is identical to what no open write sent: QuickBooks may store other values than were sent. */
function hasSimilar({ write, body }: Make, free: readonly Invoice[], { own, foreign }: Rivals): boolean {
  return free.some(
    (one) =>
      isCreatedInTime(write, one) &&
      isOfCustomer(body, one) &&
      hasSameItems(body.draft, one) &&
      ![body, ...own, ...foreign].some((other) => isIdentical(other, one)),
  );
}

/**
 * Matches open writes by what was made since their run was added: a previous holder of the run, or that of a copied ledger,
 * may have made them at any time. What an open write of another command may have made is given to neither.
 * @param left what was made and belongs to no write; what is matched here to be one is taken out
 * @param foreign open writes of other commands
 */
export function matchEqual(
  items: readonly Make[],
  left: Set<Invoice>,
  { foreign }: Pick<Rivals, "foreign">,
): Map<string, Evidence> {
  const matched = new Map<string, Evidence>();
  for (const { write, body } of items) {
    const equals = [...left].filter(
      (one) =>
        isIdentical(body, one) &&
        isCreatedSince(write, one) &&
        (write.vendorKey === null || one.DocNumber === write.vendorKey),
    );
    const equal = equals.find((one) => isCreatedInTime(write, one)) ?? equals[0];
    if (!equal) continue;
    left.delete(equal);
    const isContested = foreign.some((rival) => matches(rival, equal));
    matched.set(write.part, isContested ? SIMILAR : found(body, equal));
  }
  return matched;
}

/**
 * Matches open writes by what was made since and is equal to none of them: QuickBooks may store other values than were
 * sent. Only once all of them were compared for what is equal.
 */
export function matchSimilar(
  items: readonly Make[],
  left: Iterable<Invoice>,
  { own, foreign }: Rivals,
): Map<string, Evidence> {
  const strangers = [...left].filter((one) => ![...own, ...foreign].some((rival) => matches(rival, one)));
  return new Map(
    items.flatMap(({ write, body }) =>
      strangers.some((one) => couldMatch({ write, body }, one)) ? [[write.part, SIMILAR] as const] : [],
    ),
  );
}

/** Whether an invoice is what a write sends, its number included. */
export const matches = (sent: InvoiceToMake, one: Invoice): boolean =>
  isIdentical(sent, one) && (sent.draft.DocNumber === undefined || sent.draft.DocNumber === one.DocNumber);

function couldMatch({ write, body }: Make, one: Invoice): boolean {
  if (!isOfCustomer(body, one) || !isCreatedSince(write, one)) return false;
  if (write.vendorKey !== null) return one.DocNumber === write.vendorKey;
  return (
    one.TxnDate === body.draft.TxnDate && hasSameItems(body.draft, one) && hasSameMoney(readAnswer(body, one))
  );
}

const isOfCustomer = ({ draft }: InvoiceToMake, { CustomerRef }: Invoice) =>
  CustomerRef?.value === draft.CustomerRef.value;

/**
 * An invoice made when no call of ours was under way was entered by hand, by a user who waited for it or looked for it.
 */
function isCreatedInTime(write: Make["write"], one: Invoice): boolean {
  const sentAt = write.lastSentAt ?? write.firstSentAt;
  const until = sentAt ? sentAt.getTime() + CALL_TAKES_MS + CLOCKS_DIFFER_MS : Infinity;
  return isCreatedSince(write, one) && (createdMs(one) ?? until) <= until;
}

/** Whether it was made after a write was sent first, by us or by others. */
export const isCreatedSince = ({ firstSentAt }: Pick<Make["write"], "firstSentAt">, one: Invoice): boolean =>
  (createdMs(one) ?? Infinity) >= (firstSentAt?.getTime() ?? 0) - CLOCKS_DIFFER_MS;

const createdMs = ({ MetaData }: Invoice): number | null =>
  MetaData?.CreateTime === undefined ? null : Date.parse(MetaData.CreateTime);

const ABSENT: Evidence = { kind: "absent" };
const SIMILAR: Evidence = { kind: "similar", cause: IN_DOUBT };
const TAKEN: Cause = { code: "duplicate_number", params: {}, tid: null };
/** The number is on an invoice of the same customer, made when this one was sent, with other values. */
const ALTERED: Cause = { code: "altered", params: {}, tid: null };
