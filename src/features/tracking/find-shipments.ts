import { listCharges, type LabelCharge } from "#features/shipping/index.ts";
import type { LabelShipment } from "#features/tracking/rules-freight.ts";
import { findBilled, findInvoicesWith } from "#features/tracking/store-packages.ts";
import type { StoredWrite } from "#features/tracking/store-writes.ts";
import type { Freight } from "#features/tracking/tables.ts";
import type { Db } from "#platform/db/connect.ts";

type Write = Pick<StoredWrite, "operation" | "state" | "freight">;

type Known = {
  packages: ReadonlyMap<string, readonly { number: string }[]>;
  writes: ReadonlyMap<string, readonly Write[]>;
  /** Since when the company wants freight on its invoices; null if it does not. */
  since: Date | null;
};

/**
 * Finds the purchases of labels whose freight may be on invoices. One whose packages are of several invoices is of none: its
 * price is for all together. An invoice of an order has the freight that its retailer pays: it gets none of its labels. Asks
 * nothing for a company that never wanted freight.
 * @returns by invoice
 */
export async function findShipments(
  db: Db,
  realmId: string,
  { packages, writes, since }: Known,
): Promise<ReadonlyMap<string, LabelShipment[]>> {
  const isWritten = [...writes.values()].some((ofOne) => readFreight(ofOne) !== null);
  if (since === null && !isWritten) return new Map();
  const numbers = [...packages.values()].flat().map(({ number }) => number);
  const labels = await listCharges(db, realmId, numbers);
  const ofLabels = labels.map((label) => label.tracking_number);
  const links = await findInvoicesWith(db, realmId, ofLabels);
  const billed = await findBilled(db, realmId, {
    qboIds: links.map(({ qbo_id }) => qbo_id),
    numbers: ofLabels,
  });
  const found = new Map<string, LabelShipment[]>();
  for (const [id, ofOne] of Map.groupBy(labels, (label) => label.shipment_id)) {
    const own = new Set(ofOne.map((label) => label.tracking_number));
    const invoices = new Set(links.filter(({ number }) => own.has(number)).map(({ qbo_id }) => qbo_id));
    const [invoice] = invoices;
    const [first] = ofOne;
    // A purchase that another account pays costs the company nothing.
    if (!first || invoice === undefined || invoices.size > 1 || first.billed_to !== null) continue;
    const isBilled = billed.some(
      ({ qbo_id, numbers: its }) => qbo_id === invoice || its.some((number) => own.has(number)),
    );
    const shipment = {
      id,
      ...toShipment(first, isBilled ? null : since),
      isVoided: ofOne.every((label) => label.voided_at !== null),
    };
    found.set(invoice, [...(found.get(invoice) ?? []), shipment]);
  }
  return found;
}

const toShipment = ({ charge, made_at: madeAt }: LabelCharge, since: Date | null) => ({
  cents: charge && Math.round(Number(charge.total) * 100),
  currency: charge?.currency ?? "",
  isWanted: since !== null && madeAt !== null && madeAt >= since,
});

/** @param writes the latest first. @returns the shipping amount that was written last */
export const readFreight = (writes: readonly Write[]): Freight | null =>
  writes.find(({ operation, state }) => operation === "freight" && state === "done")?.freight ?? null;
