import { expect, test } from "vitest";
import { checkShipment } from "#integrations/ups/check-shipment.ts";
import { shipment } from "#integrations/ups/fixtures/shipments.ts";
import { findShipField } from "#integrations/ups/ship-codes.ts";

const base = shipment();
const carton = { lengthIn: 10, widthIn: 10, heightIn: 10, weightLb: 10, references: [] };

test("a shipment that UPS accepts has no problem, up to the limits themselves", () => {
  expect(checkShipment(base)).toEqual([]);
  const largest = { ...carton, lengthIn: 107.2, widthIn: 14, heightIn: 14.5, weightLb: 150 };
  const packages = Array.from({ length: 200 }, (_, at) => (at === 0 ? { ...largest, heightIn: 14 } : carton));
  const name = "N".repeat(35);
  expect(checkShipment({ ...base, packages, shipTo: { ...base.shipTo, name } })).toEqual([]);
});

test.each([
  [
    { shipTo: { ...base.shipTo, name: "N".repeat(36) } },
    { code: "too_long", field: "shipTo.name", limit: 35 },
  ],
  [{ shipTo: { ...base.shipTo, name: " " } }, { code: "missing", field: "shipTo.name" }],
  [
    { shipTo: { ...base.shipTo, address: { ...base.shipTo.address, lines: ["a", "b", "c", "d"] } } },
    { code: "too_many", field: "shipTo.address.lines", found: 4, limit: 3 },
  ],
  [
    { shipTo: { ...base.shipTo, address: { ...base.shipTo.address, lines: ["a", "L".repeat(36)] } } },
    { code: "too_long", field: "shipTo.address.lines.1", limit: 35 },
  ],
  [
    { shipTo: { ...base.shipTo, address: { ...base.shipTo.address, zip: "8370" } } },
    { code: "wrong_shape", field: "shipTo.address.zip", found: "8370" },
  ],
  [
    { shipTo: { ...base.shipTo, address: { ...base.shipTo.address, state: "Idaho" } } },
    { code: "wrong_shape", field: "shipTo.address.state", found: "Idaho" },
  ],
  [
    { shipTo: { ...base.shipTo, phone: "+1 775 555 0100 x123456" } },
    { code: "too_long", field: "shipTo.phone", limit: 15 },
  ],
  [{ shipper: { ...base.shipper, account: "" } }, { code: "missing", field: "shipper.account" }],
  [
    { billing: { mode: "third_party", account: "12345", zip: "", country: "US" } as const },
    { code: "wrong_shape", field: "billing.account" },
    { code: "missing", field: "billing.zip" },
  ],
  [{ packages: [] }, { code: "missing", field: "packages" }],
  [
    { packages: Array.from({ length: 201 }, () => carton) },
    { code: "too_many", field: "packages", found: 201, limit: 200 },
  ],
  [
    { packages: [{ ...carton, weightLb: 150.01 }] },
    { code: "too_large", field: "packages.0.weightLb", found: 150.1, limit: 150 },
  ],
  [
    { packages: [{ ...carton, heightIn: 108.5, lengthIn: 5, widthIn: 5 }] },
    { code: "too_large", field: "packages.0.heightIn", found: 109, limit: 108 },
  ],
  [
    { packages: [carton, { ...carton, lengthIn: 60, widthIn: 30, heightIn: 22.6 }] },
    { code: "too_large", field: "packages.1.lengthAndGirth", found: 166, limit: 165 },
  ],
  [
    { packages: [{ ...carton, lengthIn: 0, weightLb: Number.NaN }] },
    { code: "missing", field: "packages.0.lengthIn" },
    { code: "missing", field: "packages.0.weightLb" },
  ],
  [
    { packages: [{ ...carton, references: Array(3).fill({ code: "PO", value: "1" }) }] },
    { code: "too_many", field: "packages.0.references", limit: 2 },
  ],
  [
    { packages: [{ ...carton, references: [{ code: "PO", value: "V".repeat(36) }] }] },
    { code: "too_long", field: "packages.0.references.0.value", limit: 35 },
  ],
])("everything that UPS would refuse or cut is found before a call: %#", (changes, ...problems) => {
  expect(checkShipment({ ...base, ...changes })).toEqual(
    problems.map((each) => expect.objectContaining(each)),
  );
});

test.each([
  ["120100", "ups_account"],
  ["120105", "company_address"],
  ["120124", "service"],
  ["120206", "ship_to"],
  ["120437", "third_party_zip"],
  ["120541", "references"],
  ["120603", "references"],
  ["120604", "cartons"],
  ["120802", "ship_to"],
  ["10001", null],
  ["", null],
])("code %s is about %s", (code, field) => {
  expect(findShipField(code)).toBe(field);
});
