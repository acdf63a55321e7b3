import { planJourney } from "./journeys.ts";
import { makeLabel } from "./labels.ts";
import { insertPackage, insertShipment, type Package, type Party, type Shipment } from "./records.ts";
import { takeSequence } from "./ship.ts";
import type { Simulator } from "./simulator.ts";
import { buildTrackingNumber } from "./tracking-number.ts";
import { findAccount, USERS } from "./users.ts";

const HOUR_MS = 3_600_000;

/** Packages of one shipment to make. Absent values are those of an ordinary shipment of Acme Tools, made now. */
export type SeededPackages = {
  account?: string;
  packages?: number;
  service?: string;
  scenario?: string;
  /** Hours since the label, and with it of every event of the script. */
  ageHours?: number;
  /** The PO number. */
  reference?: string;
  /** Further references on each package. */
  references?: readonly string[];
  /** Weight of each package. */
  weightLb?: number;
  to?: Partial<Party>;
};

/** Makes a shipment behind the API's back, as if its shipper had used another program. @returns its tracking numbers */
export function seedPackages(sim: Simulator, seeded: SeededPackages): string[] {
  const {
    account = "1A2B3C",
    packages: count = 1,
    service = "03",
    scenario = "normal",
    ageHours = 0,
    weightLb = 14.5,
    references = [],
  } = seeded;
  const all = [
    ...(seeded.reference === undefined ? [] : [{ code: "PO", value: seeded.reference }]),
    ...references.map((value) => ({ code: "TN", value })),
  ];
  const createdAt = sim.clock.now().getTime() - ageHours * HOUR_MS;
  const numbers = Array.from({ length: count }, () =>
    buildTrackingNumber(account, service, takeSequence(sim)),
  );
  const [id = ""] = numbers;
  const name = findAccount(account)?.name ?? "Shipper";
  const from: Party = {
    ...NOWHERE,
    name,
    lines: ["1 Harbor Road"],
    city: "Mountain View",
    state: "CA",
    postal: "94043",
  };
  const shipment: Shipment = {
    id,
    account,
    user: USERS.find(({ accounts }) => accounts.includes(account))?.id ?? null,
    createdAt,
    service,
    shipper: from,
    shipFrom: from,
    shipTo: { ...CONSIGNEE, ...seeded.to },
    residential: false,
    isReturn: false,
    payer: { kind: "shipper", account, postal: "", country: "" },
    packageCount: count,
  };
  insertShipment(sim, shipment);
  for (const [at, tracking] of numbers.entries()) {
    const pack: Package = {
      tracking,
      shipmentId: id,
      number: at + 1,
      weightLb,
      lengthIn: 15,
      widthIn: 13,
      heightIn: 8,
      description: "",
      references: all.map((reference) => ({ ...reference, barcode: false })),
      scenario,
      steps: planJourney(scenario, createdAt),
      voidedAt: null,
    };
    insertPackage(sim, pack, makeLabel("GIF", { shipment, pack }));
  }
  return numbers;
}

const NOWHERE: Party = {
  name: "",
  attention: "",
  phone: "",
  lines: [],
  city: "",
  state: "",
  postal: "",
  country: "US",
};

const CONSIGNEE: Party = {
  ...NOWHERE,
  name: "Red Rock Diner",
  lines: ["14 Main Street"],
  city: "Reno",
  state: "NV",
  postal: "89506",
};
