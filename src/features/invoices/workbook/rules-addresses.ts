import type { FieldRule } from "#formats/table/define-sheet.ts";

const BILL = ["bill", "billto", "billing", "billaddr", "billaddress", "billingaddress"];
const SHIP = ["ship", "shipto", "shipping", "shipaddr", "shipaddress", "shippingaddress"];
const STATE = ["state", "stateprovince", "province", "countrysubdivisioncode", "region"];
const POSTAL_CODE = ["postalcode", "zip", "zipcode", "postcode", "postal"];

export const billFields = {
  billLine1: addressField("Bill Line 1", { max: 500, synonyms: onSide(BILL, addressLine(1)) }),
  billLine2: addressField("Bill Line 2", { max: 500, synonyms: onSide(BILL, addressLine(2)) }),
  billLine3: addressField("Bill Line 3", { max: 500, synonyms: onSide(BILL, addressLine(3)) }),
  billLine4: addressField("Bill Line 4", { max: 500, synonyms: onSide(BILL, addressLine(4)) }),
  billCity: addressField("Bill City", { max: 255, synonyms: onSide(BILL, ["city", "town"]) }),
  billState: addressField("Bill State", { max: 255, synonyms: onSide(BILL, STATE) }),
  billPostalCode: addressField("Bill Postal Code", {
    type: "code",
    max: 30,
    synonyms: onSide(BILL, POSTAL_CODE),
  }),
  billCountry: addressField("Bill Country", { max: 255, synonyms: onSide(BILL, ["country"]) }),
};

export const shipFields = {
  shipLine1: addressField("Ship Line 1", { max: 500, synonyms: onSide(SHIP, addressLine(1)) }),
  shipLine2: addressField("Ship Line 2", { max: 500, synonyms: onSide(SHIP, addressLine(2)) }),
  shipLine3: addressField("Ship Line 3", { max: 500, synonyms: onSide(SHIP, addressLine(3)) }),
  shipLine4: addressField("Ship Line 4", { max: 500, synonyms: onSide(SHIP, addressLine(4)) }),
  shipCity: addressField("Ship City", { max: 255, synonyms: onSide(SHIP, ["city", "town"]) }),
  shipState: addressField("Ship State", { max: 255, synonyms: onSide(SHIP, STATE) }),
  shipPostalCode: addressField("Ship Postal Code", {
    type: "code",
    max: 30,
    synonyms: onSide(SHIP, POSTAL_CODE),
  }),
  shipCountry: addressField("Ship Country", { max: 255, synonyms: onSide(SHIP, ["country"]) }),
};

function addressField(
  header: string,
  { type = "text", max, synonyms }: { type?: "text" | "code"; max: number; synonyms: string },
): FieldRule {
  const explanation = ["No", "Blank addresses are taken from the customer in QuickBooks."] as const;
  return { header, type, level: "record", max, synonyms, explanation };
}

function onSide(prefixes: readonly string[], names: readonly string[]): string {
  return prefixes.flatMap((prefix) => names.map((name) => prefix + name)).join(" ");
}

function addressLine(number: number): string[] {
  const names = ["line", "address", "addressline", "addr", "street"];
  return [...names.map((name) => name + number), ...(number === 1 ? ["address", "addr", "street"] : [])];
}
