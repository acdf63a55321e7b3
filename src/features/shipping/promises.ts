import * as z from "zod";
import { deriveReference } from "#features/shipping/rules-ours.ts";
import { markVoidAsked } from "#features/shipping/settle-void.ts";
import { findKnownReferences, findMadeByNumber } from "#features/shipping/store-search.ts";
import type { Fold, Journal } from "#integrations/objects/journal.ts";
import type { Db } from "#platform/db/connect.ts";

/** A purchase that UPS may have made from then on. */
const purchase = z.object({
  kind: z.literal("purchase"),
  realm: z.string(),
  partner: z.string(),
  po: z.string(),
  reference: z.string(),
  at: z.iso.datetime(),
});

/** Numbers that UPS named in an answer to the call of a purchase. */
const named = z.object({
  kind: z.literal("purchase_numbers"),
  reference: z.string(),
  numbers: z.array(z.string()),
});

/** UPS's refusal of a purchase. */
const notBought = z.object({ kind: z.literal("purchase_refused"), reference: z.string() });

/** A void that UPS was asked for. `numbers` is null for all labels of the shipment. */
const asked = z.object({
  kind: z.literal("void"),
  realm: z.string(),
  shipment: z.string(),
  numbers: z.array(z.string()).nullable(),
  by: z.string(),
  at: z.iso.datetime(),
});

/** UPS's refusal of a void of the same labels: they are still good. */
const refused = z.object({
  kind: z.literal("void_refused"),
  realm: z.string(),
  shipment: z.string(),
  numbers: z.array(z.string()).nullable().default(null),
});

/** A purchase as the journal knows it, with the numbers that UPS named. */
export type PromisedPurchase = z.output<typeof purchase> & { numbers: readonly string[] };
export type PromisedVoid = z.output<typeof asked>;

/** `voids` are those of each shipment. */
type Promised = { purchases: Map<string, PromisedPurchase>; voids: Map<string, PromisedVoid[]> };

const PROMISED: Fold<Promised> = {
  begin: () => ({ purchases: new Map(), voids: new Map() }),
  note: ({ purchases, voids }, line) => {
    const bought = purchase.safeParse(line).data;
    if (bought) purchases.set(bought.reference, { ...bought, numbers: [] });
    const answer = named.safeParse(line).data;
    const known = answer && purchases.get(answer.reference);
    if (known) purchases.set(known.reference, { ...known, numbers: answer.numbers });
    const failed = notBought.safeParse(line).data;
    if (failed) purchases.delete(failed.reference);
    const voided = asked.safeParse(line).data;
    if (voided) voids.set(voidKey(voided), [...(voids.get(voidKey(voided)) ?? []), voided]);
    const kept = refused.safeParse(line).data;
    const others =
      kept && voids.get(voidKey(kept))?.filter((each) => String(each.numbers) !== String(kept.numbers));
    if (others) voids.set(voidKey(kept), others);
  },
};

const voidKey = ({ realm, shipment }: { realm: string; shipment: string }) => `${realm} ${shipment}`;

export const promisePurchase = (
  journal: Journal,
  bought: Omit<z.output<typeof purchase>, "kind">,
): Promise<void> => journal.append({ kind: "purchase", ...bought } satisfies z.output<typeof purchase>);

export const notePurchaseNumbers = (
  journal: Journal,
  reference: string,
  numbers: readonly string[],
): Promise<void> =>
  journal.append({
    kind: "purchase_numbers",
    reference,
    numbers: [...numbers],
  } satisfies z.output<typeof named>);

export const notePurchaseRefused = (journal: Journal, reference: string): Promise<void> =>
  journal.append({ kind: "purchase_refused", reference } satisfies z.output<typeof notBought>);

export const promiseVoid = (journal: Journal, voided: Omit<PromisedVoid, "kind">): Promise<void> =>
  journal.append({ kind: "void", ...voided } satisfies PromisedVoid);

export const noteVoidRefused = (
  journal: Journal,
  which: Omit<z.output<typeof refused>, "kind">,
): Promise<void> => journal.append({ kind: "void_refused", ...which } satisfies z.output<typeof refused>);

/**
 * Purchases of an order that UPS may have made, and that are none of some known ones.
 * @param known references
 */
export async function findPromisedPurchases(
  journal: Journal,
  order: { realmId: string; partner: string; poNumber: string },
  known: ReadonlySet<string>,
): Promise<PromisedPurchase[]> {
  const { purchases } = await journal.read(PROMISED);
  const found: PromisedPurchase[] = [];
  for (let turn = 0; ; turn += 1) {
    const reference = deriveReference({ ...order, turn });
    const purchase = purchases.get(reference);
    if (!purchase && !known.has(reference)) return found;
    if (purchase && !known.has(reference)) found.push(purchase);
  }
}

/** Finds which of the given references purchases of any company here have, even if a restored database has lost them. */
export async function findPurchaseReferences(
  { db, journal }: { db: Db; journal: Journal },
  references: readonly string[],
): Promise<ReadonlySet<string>> {
  if (references.length === 0) return new Set();
  const { purchases } = await journal.read(PROMISED);
  const known = await findKnownReferences(db, references);
  return new Set(references.filter((reference) => known.has(reference) || purchases.has(reference)));
}

/**
 * Continues behind what the journal knows and a restored database doesn't: UPS is asked again about voids. Asking again is
 * harmless, since UPS says of a voided label that it is.
 * @param since when the database was seen
 * @returns what was promised since, and is not in the database
 */
export async function continueShipping(
  { db, journal }: { db: Db; journal: Journal },
  since: Date,
): Promise<{ purchases: PromisedPurchase[]; voids: PromisedVoid[] }> {
  const promised = await journal.read(PROMISED);
  const isLater = ({ at }: { at: string }) => new Date(at) >= since;
  const voids = [...promised.voids.values()].flatMap((all) => {
    const later = all.filter(isLater);
    return later.slice(-1).map((last) => ({ ...last, numbers: joinNumbers(later) }));
  });
  for (const { realm: realmId, shipment: number, numbers, by, at } of voids) {
    const shipment = await findMadeByNumber(db, realmId, number);
    if (!shipment) continue;
    const waiting = shipment.void_asked ? [shipment.void_asked] : [];
    const asked = { by, at, numbers: joinNumbers([...waiting, { numbers }]) };
    await markVoidAsked(db, { realmId, id: shipment.id }, asked);
  }
  const later = [...promised.purchases.values()].filter(isLater);
  const known = await findKnownReferences(
    db,
    later.map(({ reference }) => reference),
  );
  return {
    purchases: later.filter(({ reference }) => !known.has(reference)),
    voids,
  };
}

/** Labels of some voids of a shipment; null for all that it has. */
function joinNumbers(voids: readonly Pick<PromisedVoid, "numbers">[]): string[] | null {
  const known = voids.flatMap(({ numbers }) => (numbers ? [numbers] : []));
  return known.length < voids.length ? null : [...new Set(known.flat())];
}
