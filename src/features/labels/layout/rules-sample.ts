import { formatSscc } from "#formats/gs1/sscc.ts";
import type { Carton, ShipFrom } from "#features/labels/layout/rules-content.ts";
import type { LabelRow } from "#features/labels/sheet/rules-row.ts";

export const SAMPLE_FROM: ShipFrom = {
  code: "OAK",
  name: "Acme Tools",
  address1: "1200 Harbor Way",
  address2: "",
  city: "Oakland",
  state: "CA",
  postalCode: "94607",
};

/** GS1's own prefix for examples. */
export const SAMPLE_PREFIX = "0614141";

export const SAMPLE_ROW: LabelRow = {
  row: 2,
  poNumber: "8841203",
  shipToName: "Hearth Supply DC 12",
  address1: "500 Commerce Dr",
  address2: "",
  city: "Reno",
  state: "NV",
  postalCode: "89506",
  country: "US",
  countryNumber: "840",
  markFor: "0412",
  markForName: "Reno North",
  carrier: "UPS Ground",
  pro: "20447182",
  bol: "1100583",
  department: "027",
  vendor: "104416",
  item: "1004-118",
  gtin: "061414100038",
  model: "CH-16",
  description: "Claw Hammer 16 oz",
  qty: 24,
  carton: null,
  cartonCount: null,
  cartons: 1,
  weight: null,
  sscc: "",
  shipFrom: "",
  shipDate: "",
  reference: "",
  trailer: "",
};

const ABROAD = { country: "CA", countryNumber: "124", city: "Ottawa", postalCode: "K1A 0B1", state: "ON" };

/** A carton with something in every column that labels show. */
export function sampleCarton(country: "US" | "CA", markForDigits: number | null): Carton {
  const more = {
    address2: "Dock 4",
    reference: "Week 12",
    shipDate: "2026-11-24",
    weight: 18.5,
    trailer: "T-4471",
  };
  const markFor =
    markForDigits === null ? SAMPLE_ROW.markFor : "412".slice(-markForDigits).padStart(markForDigits, "0");
  const row = { ...SAMPLE_ROW, ...more, markFor, ...(country === "CA" ? ABROAD : {}) };
  const sscc = formatSscc({ extension: 0, prefix: SAMPLE_PREFIX, serial: 417 });
  return { row, carton: 17, cartonCount: 48, sscc };
}
