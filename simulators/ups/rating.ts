import { json, type Reply } from "../kit/http.ts";
import { field, has, list, text } from "./fields.ts";
import { charge, priceCents, type Weighed } from "./prices.ts";
import { UpsFault, listIn } from "./replies.ts";
import { SERVICES } from "./services.ts";
import { findAccount } from "./users.ts";

type Call = {
  version: string;
  body: unknown;
  /** Accounts that the token may use. */
  accounts: readonly string[];
  /** Whether every domestic service is rated, not only one. */
  shops: boolean;
  showsTransit: boolean;
};

const NEGOTIATED = 0.8;

/**
 * Answers POST `/api/rating/{version}/{Rate|Shop}`. Prices don't depend on the distance.
 * @throws UpsFault in UPS's codes
 */
export function rate({ version, body, accounts, shops, showsTransit }: Call): Reply {
  const shipment = field(body, "RateRequest", "Shipment");
  const number = text(shipment, "Shipper", "ShipperNumber");
  if (number !== "" && !findAccount(number))
    throw new UpsFault(400, "111210", "The requested shipper number is invalid.");
  const asksNegotiated = has(field(shipment, "ShipmentRatingOptions"), "NegotiatedRatesIndicator");
  const mayUse = accounts.includes(number);
  const cents = list(field(shipment, "Package")).reduce<number>(
    (sum, each) => sum + priceCents(weigh(each)),
    0,
  );
  if (cents === 0) throw new UpsFault(400, "111030", "Packages must weigh more than zero pounds.");
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
  const domestic = Object.keys(SERVICES).filter((code) => SERVICES[code]?.lane === "domestic");
  const codes = shops ? domestic : [text(shipment, "Service", "Code") || "03"];
  const rated = codes.map((code) => {
    const price = Math.round(cents * (SERVICES[code]?.times ?? 1));
    return {
      Service: { Code: code, Description: "" },
      RatedShipmentAlert: listIn(version, alerts),
      TransportationCharges: charge(price),
      TotalCharges: charge(price),
      ...(asksNegotiated && mayUse
        ? { NegotiatedRateCharges: { TotalCharge: charge(price * NEGOTIATED) } }
        : {}),
      ...(showsTransit ? { TimeInTransit: transit(code) } : {}),
    };
  });
  return json(200, {
    RateResponse: {
      Response: {
        ResponseStatus: { Code: "1", Description: "Success" },
        Alert: listIn(version, alerts),
      },
      RatedShipment: listIn(version, rated),
    },
  });
}

const DAYS: Readonly<Record<string, number>> = { "01": 1, "13": 1, "14": 1, "02": 2, "59": 2, "12": 3 };

const transit = (service: string) => ({
  ServiceSummary: {
    Service: { Description: SERVICES[service]?.name ?? "" },
    EstimatedArrival: { BusinessDaysInTransit: String(DAYS[service] ?? 4) },
  },
});

function weigh(pack: unknown): Weighed {
  const side = (name: string) => Number(text(pack, "Dimensions", name));
  return {
    weightLb: Number(text(pack, "PackageWeight", "Weight")),
    lengthIn: side("Length"),
    widthIn: side("Width"),
    heightIn: side("Height"),
  };
}
