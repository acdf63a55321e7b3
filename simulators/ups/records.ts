import type { Step } from "./events.ts";
import type { Simulator } from "./simulator.ts";

export type Party = {
  name: string;
  attention: string;
  phone: string;
  lines: readonly string[];
  city: string;
  state: string;
  postal: string;
  country: string;
};

export type Reference = { code: string; value: string; barcode: boolean };

/** Who pays transportation. */
export type Payer = {
  kind: "shipper" | "third_party" | "receiver" | "consignee";
  account: string;
  postal: string;
  country: string;
};

/** A shipment that was made. The id is the tracking number of its first package. */
export type Shipment = {
  id: string;
  /** Account of the shipper, and the UPS ID that made it; null for an app's own token. */
  account: string;
  user: string | null;
  createdAt: number;
  service: string;
  shipper: Party;
  shipFrom: Party;
  shipTo: Party;
  residential: boolean;
  isReturn: boolean;
  payer: Payer;
  packageCount: number;
};

export type Package = {
  tracking: string;
  shipmentId: string;
  /** From 1, in the order of the request. */
  number: number;
  weightLb: number;
  lengthIn: number;
  widthIn: number;
  heightIn: number;
  description: string;
  references: readonly Reference[];
  /** "2" for a signature, "3" for an adult's. */
  signature?: string;
  /** Name of its script, and the script's events. */
  scenario: string;
  steps: readonly Step[];
  /** Milliseconds since 1970. */
  voidedAt: number | null;
};

export type LabelImage = { format: "GIF" | "PNG" | "ZPL"; content: Buffer };

export function insertShipment(sim: Simulator, shipment: Shipment): void {
  sim.db
    .prepare("INSERT INTO shipment (id, account, created_at, doc) VALUES (?, ?, ?, ?)")
    .run(shipment.id, shipment.account, shipment.createdAt, JSON.stringify(shipment));
}

export function insertPackage(sim: Simulator, pack: Package, label: LabelImage): void {
  sim.db
    .prepare("INSERT INTO package (tracking, shipment_id, number, doc) VALUES (?, ?, ?, ?)")
    .run(pack.tracking, pack.shipmentId, pack.number, JSON.stringify(pack));
  sim.db
    .prepare("INSERT INTO label (tracking, format, content) VALUES (?, ?, ?)")
    .run(pack.tracking, label.format, label.content);
  for (const { value } of pack.references)
    sim.db.prepare("INSERT INTO reference (value, tracking) VALUES (?, ?)").run(value, pack.tracking);
}

export function savePackage(sim: Simulator, pack: Package): void {
  sim.db.prepare("UPDATE package SET doc = ? WHERE tracking = ?").run(JSON.stringify(pack), pack.tracking);
}

const parse = <T>(row: Record<string, unknown> | undefined): T | undefined =>
  row ? (JSON.parse(String(row["doc"])) as T) : undefined;

export const findShipment = (sim: Simulator, id: string): Shipment | undefined =>
  parse(sim.db.prepare("SELECT doc FROM shipment WHERE id = ?").get(id));

export const findPackage = (sim: Simulator, tracking: string): Package | undefined =>
  parse(sim.db.prepare("SELECT doc FROM package WHERE tracking = ?").get(tracking));

/** Shipments, oldest first. */
export const listShipments = (sim: Simulator): Shipment[] =>
  sim.db
    .prepare("SELECT doc FROM shipment ORDER BY rowid")
    .all()
    .flatMap((row) => parse<Shipment>(row) ?? []);

/** Packages of a shipment, in the order of the request. */
export const listPackages = (sim: Simulator, shipmentId: string): Package[] =>
  sim.db
    .prepare("SELECT doc FROM package WHERE shipment_id = ? ORDER BY number")
    .all(shipmentId)
    .flatMap((row) => parse<Package>(row) ?? []);

/** Packages with a reference, oldest first, of any account. */
export const listByReference = (sim: Simulator, value: string): Package[] =>
  sim.db
    .prepare(
      `SELECT DISTINCT package.doc, shipment.created_at, package.number FROM reference
       JOIN package ON package.tracking = reference.tracking JOIN shipment ON shipment.id = package.shipment_id
       WHERE reference.value = ? ORDER BY shipment.created_at, shipment.rowid, package.number`,
    )
    .all(value)
    .flatMap((row) => parse<Package>(row) ?? []);

export function findLabel(sim: Simulator, tracking: string): LabelImage | undefined {
  const row = sim.db.prepare("SELECT format, content FROM label WHERE tracking = ?").get(tracking);
  return row
    ? {
        format: String(row["format"]) as LabelImage["format"],
        content: Buffer.from(row["content"] as Uint8Array),
      }
    : undefined;
}
