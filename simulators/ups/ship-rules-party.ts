import type { Problem } from "./replies.ts";
import type { RequestedParty, ShipRequest } from "./ship-request.ts";
import { fitsCity, fitsState, isState } from "./zip-states.ts";

/** A party in UPS's messages, and the codes of its fields. `base` is added to each field's own part. */
type Role = { name: string; base: number; nameCode: number; fit: string };
const SHIPPER: Role = { name: "shipper", base: 120_100, nameCode: 120_101, fit: "120801" };
const SHIP_TO: Role = { name: "ship to", base: 120_200, nameCode: 120_200, fit: "120802" };
const SHIP_FROM: Role = { name: "ship from", base: 120_300, nameCode: 120_300, fit: "120803" };

const MAX_LINE = 35;
const MAX_CITY = 30;

/** Checks names, addresses and phones of all parties, and that each ZIP code fits its state. */
export function checkParties({ shipper, shipTo, shipFrom }: ShipRequest, checksCity: boolean): Problem[] {
  const problems = [
    ...checkParty(SHIPPER, shipper, checksCity),
    ...checkParty(SHIP_TO, shipTo, checksCity),
    ...(shipFrom ? checkParty(SHIP_FROM, shipFrom, checksCity) : []),
  ];
  if (shipFrom && shipFrom.country !== "" && shipFrom.country !== shipper.country)
    problems.push({ code: "120317", message: "The ship from country must equal the shipper's country" });
  return problems;
}

function checkParty(role: Role, party: RequestedParty, checksCity: boolean): Problem[] {
  const problems: Problem[] = [];
  const wrong = (code: number, name: string) =>
    problems.push({ code: String(code), message: `Missing or invalid ${role.name} ${name}` });
  const fits = (value: string, max: number) => value.trim() !== "" && value.length <= max;
  if (!fits(party.name, MAX_LINE)) wrong(role.nameCode, "name");
  if (party.attention.length > MAX_LINE) wrong(role.base + 10, "attention name");
  if (!fits(party.lines[0] ?? "", MAX_LINE)) wrong(role.base + 2, "address line 1");
  party.lines.slice(1, 3).forEach((line, at) => {
    if (line.length > MAX_LINE) wrong(role.base + 3 + at, `address line ${at + 2}`);
  });
  if (party.lines.length > 3) wrong(role.base + 4, "address line 3");
  if (!fits(party.city, MAX_CITY)) wrong(role.base + 5, "city");
  if (!/^[A-Z]{2}$/.test(party.country)) wrong(role.base + 8, "country code");
  if (party.phone !== null && !isPhone(party.phone, party.country))
    wrong(phoneCode(role, party), "phone number");
  return [...problems, ...checkPlace(role, party, checksCity)];
}

const phoneCode = (role: Role, { phone }: RequestedParty): number =>
  role === SHIP_TO && phone !== "" ? 120_213 : role.base + 9;

function isPhone(phone: string, country: string): boolean {
  const digits = phone.replace(/\D/g, "").length;
  return phone.length <= 15 && digits > 0 && (country !== "US" || digits >= 10);
}

/** The street is never checked: any street passes if the city, state and ZIP code are right. */
function checkPlace(
  role: Role,
  { city, state, postal, country }: RequestedParty,
  checksCity: boolean,
): Problem[] {
  if (country !== "US" && country !== "PR") {
    if (postal.length <= 9) return [];
    return [{ code: String(role.base + 7), message: `Missing or invalid ${role.name} postal code` }];
  }
  const problems: Problem[] = [];
  const isPostal = /^\d{5}(\d{4})?$/.test(postal);
  if (!isState(state))
    problems.push({
      code: String(role.base + 6),
      message: `Missing or invalid ${role.name} state province code`,
    });
  if (!isPostal)
    problems.push({ code: String(role.base + 7), message: `Missing or invalid ${role.name} postal code` });
  if (problems.length === 0 && (!fitsState(postal, state) || (checksCity && !fitsCity(postal, city))))
    problems.push({ code: role.fit, message: `Address Validation Error on ${role.name} address` });
  return problems;
}
