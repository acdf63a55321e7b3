import { MASK } from "./cie.ts";
import type { Package, Party, Shipment } from "./records.ts";

const PARTY: Party = {
  name: "Sample",
  attention: "",
  phone: "",
  lines: ["1 Sample St"],
  city: "Atlanta",
  state: "GA",
  postal: "30339",
  country: "US",
};

/** A shipment that the test environment answers for its fixed numbers. */
export const SAMPLE: { shipment: Shipment; pack: Package } = {
  shipment: {
    id: MASK,
    account: "12345E",
    user: null,
    createdAt: 0,
    service: "03",
    shipper: PARTY,
    shipFrom: PARTY,
    shipTo: PARTY,
    residential: false,
    isReturn: false,
    payer: { kind: "shipper", account: "12345E", postal: "", country: "" },
    packageCount: 1,
  },
  pack: {
    tracking: MASK,
    shipmentId: MASK,
    number: 1,
    weightLb: 1,
    lengthIn: 1,
    widthIn: 1,
    heightIn: 1,
    description: "",
    references: [],
    scenario: "normal",
    steps: [],
    voidedAt: null,
  },
};
