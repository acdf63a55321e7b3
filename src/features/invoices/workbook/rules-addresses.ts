import { capitalize } from "#formats/text/phrases.ts";
import type { FieldRule } from "#formats/table/define-sheet.ts";

const BILL = ["bill", "billto", "billing", "billaddr", "billaddress", "billingaddress"];
const SHIP = ["ship", "shipto", "shipping", "shipaddr", "shipaddress", "shippingaddress"];
const STATE = ["state", "stateprovince", "province", "countrysubdivisioncode", "region"];
const POSTAL_CODE = ["postalcode", "zip", "zipcode", "postcode", "postal"];

export const billFields = addressFields("bill", BILL);
export const shipFields = addressFields("ship", SHIP);

type Part = "Line1" | "Line2" | "Line3" | "Line4" | "City" | "State" | "PostalCode" | "Country";

/** Address fields of one side, in the template's order. */
function addressFields<Side extends "bill" | "ship">(
  side: Side,
  prefixes: readonly string[],
): Record<`${Side}${Part}`, FieldRule> {
  const keys = (names: readonly string[]) =>
    prefixes.flatMap((prefix) => names.map((each) => prefix + each)).join(" ");
  const field = (name: string, names: readonly string[], rule: Partial<FieldRule> = {}): FieldRule => ({
    header: `${capitalize(side)} ${name}`,
    max: 255,
    synonyms: keys(names),
    explanation: `${name} of the ${side === "bill" ? "billing" : "shipping"} address.`,
    ...rule,
  });
  const line = (number: number) => field(`Line ${number}`, addressLine(number), { max: 500 });
  const parts: Record<Part, FieldRule> = {
    Line1: {
      ...line(1),
      // Beside "Billing Address1" it has both lines in one.
      weakSynonyms: keys(["street"]),
      explanation: `Leave all ${capitalize(side)} columns blank to use the customer's address in QuickBooks.`,
    },
    Line2: line(2),
    Line3: line(3),
    Line4: line(4),
    City: field("City", ["city", "town"]),
    State: field("State", STATE),
    PostalCode: field("Postal Code", POSTAL_CODE, { type: "code", max: 30 }),
    Country: field("Country", ["country"]),
  };
  const named = Object.entries(parts).map(([part, rule]) => [`${side}${part}`, rule]);
  return Object.fromEntries(named) as Record<`${Side}${Part}`, FieldRule>;
}

function addressLine(number: number): string[] {
  const names = ["line", "address", "addressline", "addr", "street"];
  return [...names.map((name) => name + number), ...(number === 1 ? ["address", "addr"] : [])];
}
