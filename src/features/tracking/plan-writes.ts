import { createHash } from "node:crypto";
import { SHIPPING_VENDOR } from "#features/books/index.ts";
import type { PackageState } from "#features/packages/contract.ts";
import type { TrackingCtx } from "#features/tracking/ctx.ts";
import { mergeFiles } from "#formats/pdf/merge-files.ts";
import { findShipments, readFreight } from "#features/tracking/find-shipments.ts";
import { findFields, type Fields } from "#features/tracking/rules-fields.ts";
import { planFreight, type LabelShipment } from "#features/tracking/rules-freight.ts";
import type { FollowedCompany } from "#features/tracking/store.ts";
import { listDirty, markPlanned, type StoredInvoice } from "#features/tracking/store-invoices.ts";
import { findLinked, type LinkedPackage } from "#features/tracking/store-packages.ts";
import {
  addWrites,
  findProofs,
  findWrites,
  listNumbers,
  type StoredWrite,
} from "#features/tracking/store-writes.ts";
import type { Freight, ShippingFields } from "#features/tracking/tables.ts";
import type { Db } from "#platform/db/connect.ts";
import { toJson } from "#platform/db/json.ts";
import { planWrites as planCalls, type Command } from "#platform/writes/store.ts";

/** Invoices whose writes are planned in one transaction. */
const AT_ONCE = 100;

type Settings = { attach_pods: boolean; pods_together: boolean; freight_since: Date | null };

export const batchCommand = (realmId: string, batchId: string): Command => ({
  realmId,
  subject: batchId,
  commandId: batchId,
});

/**
 * Plans the writes that invoices need: shipping fields and amounts that are missing, and proofs that are not attached yet. Nothing is
 * planned for an invoice that has all of it.
 * @returns how many invoices were compared
 */
export async function planWrites(
  ctx: TrackingCtx,
  tx: Db,
  { company, settings }: { company: FollowedCompany; settings: Settings },
): Promise<number> {
  const { realm_id: realmId } = company;
  const invoices = await listDirty(tx, realmId, AT_ONCE);
  if (invoices.length === 0) return 0;
  const ids = invoices.map(({ qbo_id }) => qbo_id);
  const packages = Map.groupBy(await findLinked(tx, realmId, ids), ({ qbo_id }) => qbo_id);
  const writes = Map.groupBy(await findWrites(tx, realmId, ids), ({ qbo_id }) => qbo_id);
  const shipments = await findShipments(tx, realmId, { packages, writes, since: settings.freight_since });
  const updates: Planned[] = [];
  const amounts: Planned[] = [];
  const files: Planned[] = [];
  for (const invoice of invoices) {
    if (invoice.gone) continue;
    const known = { packages: packages.get(invoice.qbo_id) ?? [], writes: writes.get(invoice.qbo_id) ?? [] };
    if (company.shipping_fields !== false) {
      updates.push(...planUpdate(ctx, invoice, known));
      amounts.push(...planAmount(ctx, invoice, known.writes, shipments.get(invoice.qbo_id) ?? []));
    }
    if (settings.attach_pods) files.push(...(await planFiles(ctx, tx, invoice, { ...known, settings })));
  }
  await addBatch(ctx, tx, realmId, updates);
  await addBatch(ctx, tx, realmId, amounts);
  await addBatch(ctx, tx, realmId, files);
  await markPlanned(tx, realmId, ids);
  return ids.length;
}

type Known = { packages: readonly LinkedPackage[]; writes: readonly StoredWrite[] };

type Planned = {
  row: Pick<
    StoredWrite,
    "id" | "qbo_id" | "operation" | "number" | "sync_token" | "file_name" | "size" | "sha256" | "file"
  > & {
    fields: ShippingFields | null;
    freight: Freight | null;
  };
  vendorKey: string | null;
};

const NO_FILE = { number: null, file_name: null, size: null, sha256: null, file: null };

function planUpdate(ctx: TrackingCtx, invoice: StoredInvoice, { packages, writes }: Known): Planned[] {
  const fields = findFields(toFields(invoice), readOurs(writes), packages.map(toFieldsPackage));
  if (!fields) return [];
  const stored = toStored(fields);
  const { qbo_id, sync_token } = invoice;
  const [latest] = writes.filter(({ operation }) => operation === "update");
  // QuickBooks would refuse the same change of the same version again.
  const isRefused =
    latest?.state !== "done" && latest?.sync_token === sync_token && toJson(latest.fields) === toJson(stored);
  if (isRefused) return [];
  const row = {
    ...NO_FILE,
    id: ctx.ids.uuid(),
    qbo_id,
    operation: "update",
    sync_token,
    fields: stored,
    freight: null,
  } as const;
  return [{ row, vendorKey: `${qbo_id}/${sync_token}` }];
}

function planAmount(
  ctx: TrackingCtx,
  invoice: StoredInvoice,
  writes: readonly StoredWrite[],
  shipments: readonly LabelShipment[],
): Planned[] {
  const { freight } = planFreight(invoice, readFreight(writes), shipments);
  if (!freight) return [];
  const { qbo_id, sync_token } = invoice;
  const [latest] = writes.filter(({ operation }) => operation === "freight");
  // The same reason would apply to the same change of the same version.
  const isRefused =
    latest?.state !== "done" &&
    latest?.sync_token === sync_token &&
    toJson(latest.freight) === toJson(freight);
  if (isRefused) return [];
  const row = {
    ...NO_FILE,
    id: ctx.ids.uuid(),
    qbo_id,
    operation: "freight",
    sync_token,
    fields: null,
    freight,
  } as const;
  return [{ row, vendorKey: null }];
}

export const toFields = (
  invoice: Pick<StoredInvoice, "ship_date" | "ship_via" | "tracking_text">,
): Fields => ({
  shipDate: invoice.ship_date ?? "",
  shipVia: invoice.ship_via,
  trackingNumber: invoice.tracking_text,
});

export const toFieldsPackage = ({ number, state, service, activities, in_books }: LinkedPackage) => ({
  number,
  state,
  service,
  activities,
  inBooks: in_books,
});

/** @returns the values that done updates wrote last */
export function readOurs(writes: readonly StoredWrite[]): Partial<Fields> {
  const done = writes.filter(({ operation, state }) => operation === "update" && state === "done");
  const { ship_date, ship_via, tracking_number }: ShippingFields = Object.assign(
    {},
    ...done.toReversed().map(({ fields }) => fields),
  );
  return {
    ...(ship_date !== undefined && { shipDate: ship_date }),
    ...(ship_via !== undefined && { shipVia: ship_via }),
    ...(tracking_number !== undefined && { trackingNumber: tracking_number }),
  };
}

export const toStored = ({ shipDate, shipVia, trackingNumber }: Partial<Fields>): ShippingFields => ({
  ...(shipDate !== undefined && { ship_date: shipDate }),
  ...(shipVia !== undefined && { ship_via: shipVia }),
  ...(trackingNumber !== undefined && { tracking_number: trackingNumber }),
});

/** Cause of a file that was not attached because a number of it was taken off the invoice; it may come back. */
export const UNLINKED = "unlinked";

/** Plans files of packages that have a proof, each once for an invoice, whatever else became of it. */
async function planFiles(
  ctx: TrackingCtx,
  tx: Db,
  { realm_id, qbo_id, sync_token }: StoredInvoice,
  { packages, writes, settings }: Known & { settings: Settings },
): Promise<Planned[]> {
  const attached = writes.filter(
    ({ operation, cause }) => operation === "attach" && cause?.code !== UNLINKED,
  );
  const known = new Set(attached.flatMap(listNumbers));
  const missing = packages.filter(
    ({ number, state, has_proof }) => state !== "voided" && has_proof && !known.has(number),
  );
  const isTogether = settings.pods_together && attached.length === 0;
  if (isTogether && packages.some(awaitsProof)) return [];
  const groups = isTogether && missing.length > 1 ? [missing] : missing.map((pkg) => [pkg]);
  const planned: Planned[] = [];
  for (const group of groups) {
    const numbers = group.map(({ number }) => number);
    const proofs = await findProofs(tx, realm_id, numbers);
    const merged = numbers.length > 1 ? await mergeFiles(proofs, "Proofs of delivery") : null;
    const bytes = merged ?? proofs[0];
    if (!bytes) throw new Error(`The proof of ${numbers.join(", ")} is missing.`);
    const row = {
      id: ctx.ids.uuid(),
      qbo_id,
      operation: "attach",
      number: numbers.join(" "),
      sync_token,
      fields: null,
      freight: null,
      file_name: merged ? "proofs-of-delivery.pdf" : `proof-of-delivery-${numbers[0]}.pdf`,
      size: bytes.byteLength,
      sha256: createHash("sha256").update(bytes).digest(),
      file: merged,
    } as const;
    planned.push({ row, vendorKey: null });
  }
  return planned;
}

/** States of packages that are over without a delivery. */
const UNDELIVERED: readonly PackageState[] = ["voided", "returned", "ended"];

/** Whether a package has no proof, and may get one. */
const awaitsProof = ({ state, has_proof, proof_state }: LinkedPackage): boolean =>
  !has_proof && proof_state !== "gone" && !UNDELIVERED.includes(state);

/** Stores writes of one kind as a batch. */
async function addBatch(
  ctx: TrackingCtx,
  tx: Db,
  realmId: string,
  planned: readonly Planned[],
): Promise<void> {
  if (planned.length === 0) return;
  const now = ctx.clock.now();
  const batchId = ctx.ids.uuid();
  await addWrites(
    tx,
    planned.map(({ row }) => ({
      ...row,
      realm_id: realmId,
      batch_id: batchId,
      fields: row.fields && toJson(row.fields),
      freight: row.freight && toJson(row.freight),
      planned_at: now,
    })),
  );
  const writes = planned.map(({ row, vendorKey }, seq) => ({
    part: row.id,
    seq,
    operation: row.operation,
    requestId: row.id,
    fingerprint: createHash("sha256")
      .update(toJson([row.qbo_id, row.fields, row.freight, row.file_name]))
      .digest("hex"),
    vendorKey,
  }));
  await planCalls(tx, batchCommand(realmId, batchId), { vendor: SHIPPING_VENDOR, writes, now });
}
