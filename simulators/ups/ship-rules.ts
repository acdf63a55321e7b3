import type { Problem } from "./replies.ts";
import { isDomestic, SERVICES } from "./services.ts";
import { checkPackages } from "./ship-rules-package.ts";
import { checkParties } from "./ship-rules-party.ts";
import type { ShipmentCharge, ShipRequest } from "./ship-request.ts";
import { findAccount } from "./users.ts";

type ShipCall = {
  request: ShipRequest;
  /** Accounts that the token may ship with. */
  accounts: readonly string[];
  /** Whether the query asks to check the city too. */
  checksCity: boolean;
  now: Date;
};

/** Finds all that UPS would refuse in an order, in the order of its fields. Empty means that it ships. */
export const checkShipRequest = (asked: ShipCall): Problem[] => [
  ...checkRequest(asked),
  ...checkShipperNumber(asked),
  ...checkParties(asked.request, asked.checksCity),
  ...checkPayment(asked.request),
  ...checkService(asked.request),
  ...checkPackages(asked.request),
  ...checkLabel(asked.request),
];

const INVALID = "The request is well formed but not valid";
/** Code for rules that have none in UPS's lists. */
const invalid = (name: string): Problem => ({ code: "10002", message: `${INVALID}: ${name}.` });

const DAY_MS = 86_400_000;

function checkRequest({ request, now }: ShipCall): Problem[] {
  const { requestOption, shipmentDate } = request;
  const problems: Problem[] = [];
  if (!/^(non)?validate$/i.test(requestOption)) problems.push(invalid("RequestOption"));
  if (request.context.length > 512) problems.push(invalid("CustomerContext"));
  if (request.description.length > 50)
    problems.push({ code: "120503", message: "Missing or invalid description of goods" });
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10).replaceAll("-", "");
  const [first, last] = [day(now.getTime() - DAY_MS / 2), day(now.getTime() + 7 * DAY_MS)];
  if (shipmentDate !== "" && (!/^\d{8}$/.test(shipmentDate) || shipmentDate < first || shipmentDate > last))
    problems.push(invalid("ShipmentDate"));
  return problems;
}

function checkShipperNumber({ request: { shipper }, accounts }: ShipCall): Problem[] {
  const account = findAccount(shipper.number);
  if (!/^[0-9A-Z]*$/i.test(shipper.number))
    return [{ code: "120113", message: "Shipper number must contain alphanumeric characters only" }];
  if (!account) return [{ code: "120100", message: "Missing or invalid shipper number" }];
  if (!accounts.includes(account.number))
    return [{ code: "120120", message: "The shipper number cannot be used by this user" }];
  if (account.country !== shipper.country)
    return [{ code: "120122", message: "The shipper number belongs to an account of another country" }];
  return [];
}

function checkPayment({ hasPayment, charges, shipper }: ShipRequest): Problem[] {
  if (!hasPayment || charges.length === 0)
    return [{ code: "120400", message: "Missing or invalid payment information" }];
  const transport = charges.filter(({ type }) => type === "01");
  if (transport.length !== 1 || charges.length > 3)
    return [{ code: "120400", message: "Exactly one shipment charge of type 01 is required" }];
  return charges.flatMap((charge) => checkCharge(charge, shipper.number));
}

function checkCharge({ payers }: ShipmentCharge, shipperNumber: string): Problem[] {
  const [payer, second] = payers;
  if (!payer) return [{ code: "120410", message: "A payer is required for the shipment charge" }];
  if (second)
    return [{ code: "120416", message: "More than one payer is indicated for the shipment charge" }];
  if (payer.kind === "consignee") return [];
  if (payer.kind === "shipper")
    return payer.account === shipperNumber
      ? []
      : [{ code: "120415", message: "The bill shipper account number must equal the shipper number" }];
  const account = findAccount(payer.account);
  if (!account) return [{ code: "120412", message: "Missing or invalid payer account number" }];
  if (account.closed === true)
    return [{ code: "120413", message: "The payer account cannot be billed for this shipment" }];
  if (payer.kind === "third_party" && payer.country !== account.country)
    return [{ code: "120430", message: "Missing or invalid third party billing country code" }];
  // UPS knows the pickup address of each account, and bills only callers who also know its ZIP code.
  if (payer.postal.slice(0, 5) !== account.postalCode)
    return [
      { code: "120437", message: "The postal code of the billed account does not match UPS's records" },
    ];
  return [];
}

function checkService({ service, shipper, shipFrom, shipTo }: ShipRequest): Problem[] {
  const known = SERVICES[service];
  if (!known) return [{ code: "120500", message: "Missing or invalid service code" }];
  const domestic = isDomestic((shipFrom ?? shipper).country, shipTo.country);
  if (domestic !== (known.lane === "domestic"))
    return [
      {
        code: "121210",
        message: "The requested service is unavailable between the selected locations.",
      },
    ];
  if ((service === "14" || !domestic) && shipTo.phone === null)
    return [{ code: "120213", message: "ShipTo phone number is required for this service" }];
  return [];
}

const FORMATS = ["GIF", "PNG", "ZPL"];

function checkLabel({ hasLabelSpecification, label }: ShipRequest): Problem[] {
  if (!hasLabelSpecification) return [{ code: "120700", message: "Missing label specification" }];
  const problems: Problem[] = [];
  if (!FORMATS.includes(label.format.toUpperCase()))
    problems.push({ code: "120701", message: "Missing or invalid label image format code" });
  if (label.height === "" || label.width === "")
    problems.push({ code: "120702", message: "Missing label stock size" });
  else if (!["6", "8"].includes(label.height))
    problems.push({ code: "120703", message: "Invalid label stock size height" });
  else if (label.width !== "4") problems.push({ code: "120704", message: "Invalid label stock size width" });
  if (label.agent.length > 64) problems.push({ code: "120705", message: "Invalid HTTP user agent" });
  return problems;
}
