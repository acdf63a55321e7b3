import {
  listReferences,
  takesReferencesByPackage,
  toDigits,
  toInches,
  toLines,
  toPounds,
  toZip,
  type Address,
  type Party,
  type Shipment,
  type ShipmentPackage,
} from "#integrations/ups/shipment.ts";

/**
 * Something that UPS would refuse, or print cut. `field` is a path within the shipment, such as `packages.0.weightLb`;
 * `limit` is in the unit of the field: characters for texts, entries for lists.
 */
export type ShipmentProblem = {
  code: "missing" | "too_long" | "too_many" | "too_large" | "wrong_shape";
  field: string;
  found: string | number;
  limit: string | number;
};

/** @see UPS's Shipping document, lengths of fields */
const CHARACTERS = {
  name: 35,
  phone: 15,
  line: 35,
  city: 30,
  state: 5,
  zip: 9,
  value: 35,
};
const MAX_LINES = 3;
const MAX_PACKAGES = 200;
/** The document allows five, UPS's list of errors two. */
const MAX_REFERENCES = 2;
/** @see UPS's weight and size limits; girth is twice the sum of the two shorter sides */
const PACKAGE = { pounds: 150, inches: 108, lengthAndGirth: 165 };

const ACCOUNT = /^[0-9A-Z]{6}$/;

/** Finds all that is wrong with a shipment before UPS is called. Nothing is ever cut to fit. */
export function checkShipment(shipment: Shipment): ShipmentProblem[] {
  const { shipper, shipTo, billing, packages } = shipment;
  return [
    ...checkParty("shipper", shipper),
    ...checkShape("shipper.account", shipper.account, ACCOUNT),
    ...checkParty("shipTo", shipTo),
    ...checkShape("service", shipment.service, /^\d{2}$/),
    ...("account" in billing
      ? [...checkShape("billing.account", billing.account, ACCOUNT), ...checkZip("billing", billing)]
      : []),
    ...checkCount("packages", packages, MAX_PACKAGES),
    ...packages.flatMap((each, at) => checkPackage(`packages.${at}`, each)),
    ...(takesReferencesByPackage(shipment)
      ? []
      : checkCount("references", listReferences(shipment), MAX_REFERENCES, 0)),
  ];
}

function checkParty(field: string, { name, attention, phone, address }: Party): ShipmentProblem[] {
  return [
    ...checkRequired(`${field}.name`, name, CHARACTERS.name),
    ...checkLength(`${field}.attention`, attention, CHARACTERS.name),
    ...checkLength(`${field}.phone`, phone && toDigits(phone), CHARACTERS.phone),
    ...checkAddress(`${field}.address`, address),
  ];
}

function checkAddress(field: string, address: Address): ShipmentProblem[] {
  const { lines, city, state } = address;
  return [
    ...checkCount(`${field}.lines`, toLines(address), MAX_LINES),
    ...lines.flatMap((line, at) => checkLength(`${field}.lines.${at}`, line, CHARACTERS.line)),
    ...checkRequired(`${field}.city`, city, CHARACTERS.city),
    ...(address.country === "US"
      ? checkShape(`${field}.state`, state, /^[A-Z]{2}$/)
      : checkLength(`${field}.state`, state, CHARACTERS.state)),
    ...checkZip(field, address),
  ];
}

function checkZip(field: string, place: { zip: string; country: string }): ShipmentProblem[] {
  return [
    ...checkShape(`${field}.country`, place.country, /^[A-Z]{2}$/),
    ...(place.country === "US"
      ? checkShape(`${field}.zip`, toZip(place), /^(\d{5}|\d{9})$/, place.zip)
      : checkLength(`${field}.zip`, toZip(place), CHARACTERS.zip)),
  ];
}

function checkPackage(field: string, each: ShipmentPackage): ShipmentProblem[] {
  const { references, ...figures } = each;
  const [longest = 0, width = 0, height = 0] = toInches(each);
  const wrong = (["lengthIn", "widthIn", "heightIn", "weightLb"] as const)
    .filter((name) => !(figures[name] > 0 && Number.isFinite(figures[name])))
    .map((name): ShipmentProblem => ({
      code: "missing",
      field: `${field}.${name}`,
      found: String(figures[name]),
      limit: 0,
    }));
  const side = (["lengthIn", "widthIn", "heightIn"] as const).toSorted((a, b) => figures[b] - figures[a])[0];
  return [
    ...(wrong.length > 0
      ? wrong
      : [
          ...checkSize(`${field}.weightLb`, toPounds(each), PACKAGE.pounds),
          ...checkSize(`${field}.${side}`, longest, PACKAGE.inches),
          ...checkSize(`${field}.lengthAndGirth`, longest + 2 * (width + height), PACKAGE.lengthAndGirth),
        ]),
    ...checkCount(`${field}.references`, references, MAX_REFERENCES, 0),
    ...references.flatMap(({ code, value }, at) => [
      ...checkShape(`${field}.references.${at}.code`, code, /^[0-9A-Z]{2}$/),
      ...checkRequired(`${field}.references.${at}.value`, value, CHARACTERS.value),
    ]),
  ];
}

const checkRequired = (field: string, found: string, limit: number): ShipmentProblem[] =>
  found.trim() === "" ? [{ code: "missing", field, found, limit }] : checkLength(field, found, limit);

const checkLength = (field: string, found = "", limit: number): ShipmentProblem[] =>
  found.trim().length > limit ? [{ code: "too_long", field, found, limit }] : [];

const checkSize = (field: string, found: number, limit: number): ShipmentProblem[] =>
  found > limit ? [{ code: "too_large", field, found, limit }] : [];

/** @param shown the text as it was given, if `found` is made of it */
function checkShape(field: string, found: string, shape: RegExp, shown = found): ShipmentProblem[] {
  if (shape.test(found)) return [];
  return [{ code: found === "" ? "missing" : "wrong_shape", field, found: shown, limit: shape.source }];
}

function checkCount(field: string, entries: readonly unknown[], limit: number, least = 1): ShipmentProblem[] {
  if (entries.length < least) return [{ code: "missing", field, found: 0, limit }];
  return entries.length > limit ? [{ code: "too_many", field, found: entries.length, limit }] : [];
}
