import { json, type Reply } from "../kit/http.ts";
import { UpsFault, listIn } from "./replies.ts";
import { findAccount, type User } from "./users.ts";

type Weighed = { actual: number; length: number; width: number; height: number };

const DIVISOR = 139;
const BASE_CENTS = 950;
const CENTS_PER_LB = 62;

/**
 * Answers POST `/api/rating/{version}/Rate`. Prices don't depend on the distance.
 * @param user whose token it is; null for an app's own
 * @throws UpsFault in UPS's codes
 */
export function rate(version: string, body: unknown, user: User | null): Reply {
  const request = field(body, "RateRequest");
  const shipment = field(request, "Shipment");
  const shipper = field(shipment, "Shipper");
  const number = text(shipper, "ShipperNumber");
  if (number !== "" && !findAccount(number))
    throw new UpsFault(400, "111210", "The requested shipper number is invalid.");
  const options = field(shipment, "ShipmentRatingOptions");
  const asksNegotiated = isRecord(options) && "NegotiatedRatesIndicator" in options;
  const mayUse = user?.accounts.includes(number) ?? false;
  const cents = list(field(shipment, "Package")).reduce<number>((sum, each) => sum + price(weigh(each)), 0);
  if (cents === 0) throw new UpsFault(400, "111030", "Packages must weigh more than zero pounds.");
  const charges = { CurrencyCode: "USD", MonetaryValue: money(cents) };
  const alerts =
    asksNegotiated && !mayUse
      ? [
          {
            Code: "120900",
            Description:
              "User Id and Shipper Number combination is not qualified to receive negotiated rates.",
          },
        ]
      : [];
  const rated = {
    Service: { Code: text(field(shipment, "Service"), "Code") || "03", Description: "" },
    RatedShipmentAlert: listIn(version, alerts),
    TransportationCharges: charges,
    TotalCharges: charges,
    ...(asksNegotiated && mayUse
      ? { NegotiatedRateCharges: { TotalCharge: { ...charges, MonetaryValue: money(cents * 0.8) } } }
      : {}),
  };
  return json(200, {
    RateResponse: {
      Response: {
        ResponseStatus: { Code: "1", Description: "Success" },
        Alert: listIn(version, alerts),
      },
      RatedShipment: listIn(version, [rated]),
    },
  });
}

function weigh(pack: unknown): Weighed {
  const sides = field(pack, "Dimensions");
  const side = (name: string) => Number(text(sides, name));
  return {
    actual: Number(text(field(pack, "PackageWeight"), "Weight")),
    length: side("Length"),
    width: side("Width"),
    height: side("Height"),
  };
}

/** The greater of weight and volume counts. */
function price({ actual, length, width, height }: Weighed): number {
  const volume = (length * width * height) / DIVISOR;
  const pounds = Math.ceil(Math.max(actual, volume));
  return pounds > 0 ? BASE_CENTS + pounds * CENTS_PER_LB : 0;
}

const money = (cents: number) => (Math.round(cents) / 100).toFixed(2);
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;
const field = (value: unknown, name: string): unknown => (isRecord(value) ? value[name] : undefined);
const text = (value: unknown, name: string): string => {
  const found = field(value, name);
  return typeof found === "string" ? found : "";
};
const list = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined ? [] : [value];
