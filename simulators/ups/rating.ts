import { json, type Reply } from "../kit/http.ts";
import { field, has, list, text } from "./fields.ts";
import { charge, priceCents, type Weighed } from "./prices.ts";
import { UpsFault, listIn } from "./replies.ts";
import { findAccount } from "./users.ts";

/**
 * Answers POST `/api/rating/{version}/Rate`. Prices don't depend on the distance.
 * @param accounts that the token may use
 * @throws UpsFault in UPS's codes
 */
export function rate(version: string, body: unknown, accounts: readonly string[]): Reply {
  const request = field(body, "RateRequest");
  const shipment = field(request, "Shipment");
  const shipper = field(shipment, "Shipper");
  const number = text(shipper, "ShipperNumber");
  if (number !== "" && !findAccount(number))
    throw new UpsFault(400, "111210", "The requested shipper number is invalid.");
  const options = field(shipment, "ShipmentRatingOptions");
  const asksNegotiated = has(options, "NegotiatedRatesIndicator");
  const mayUse = accounts.includes(number);
  const cents = list(field(shipment, "Package")).reduce<number>(
    (sum, each) => sum + priceCents(weigh(each)),
    0,
  );
  if (cents === 0) throw new UpsFault(400, "111030", "Packages must weigh more than zero pounds.");
  const charges = charge(cents);
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
    ...(asksNegotiated && mayUse ? { NegotiatedRateCharges: { TotalCharge: charge(cents * 0.8) } } : {}),
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
    weightLb: Number(text(pack, "PackageWeight", "Weight")),
    lengthIn: side("Length"),
    widthIn: side("Width"),
    heightIn: side("Height"),
  };
}
