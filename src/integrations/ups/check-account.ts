import * as z from "zod";
import { API_VERSION } from "#integrations/ups/config.ts";
import { UpsError } from "#integrations/ups/errors.ts";
import { exchange, type UpsPlace } from "#integrations/ups/exchange.ts";
import { code, list } from "#integrations/ups/wire.ts";

const TIMEOUT_MS = 30_000;

/** "User Id and Shipper Number combination is not qualified to receive negotiated rates". */
const NOT_QUALIFIED = "120900";

const alerts = list(z.object({ Code: code }));
const rateAnswer = z.object({
  RateResponse: z.object({
    Response: z.object({ Alert: alerts }),
    RatedShipment: list(z.object({ RatedShipmentAlert: alerts })),
  }),
});

/**
 * Whether the login behind a token may use a shipper account. A login proves nothing about an account: one without any
 * gets valid tokens and fails at the first label. So a rate is asked for with the account's own prices, which costs nothing.
 * @param account six letters and digits
 * @throws UpsError when UPS gives no verdict
 */
export async function checkAccount(place: UpsPlace, accessToken: string, account: string): Promise<boolean> {
  try {
    const call = {
      path: `/api/rating/${API_VERSION}/Rate`,
      authorization: `Bearer ${accessToken}`,
      body: rateRequest(account),
      timeoutMs: TIMEOUT_MS,
    };
    const { RateResponse: answer } = await exchange(place, call, rateAnswer);
    const given = [
      ...answer.Response.Alert,
      ...answer.RatedShipment.flatMap((rated) => rated.RatedShipmentAlert),
    ];
    return !given.some(({ Code }) => Code === NOT_QUALIFIED);
  } catch (error) {
    if (error instanceof UpsError && error.kind === "refused") return false;
    throw error;
  }
}

/** UPS's headquarters: any valid address does, since only the account is asked about. */
const ADDRESS = {
  AddressLine: ["55 Glenlake Parkway NE"],
  City: "Atlanta",
  StateProvinceCode: "GA",
  PostalCode: "30328",
  CountryCode: "US",
};

function rateRequest(account: string): object {
  const place = { Name: "Account check", Address: ADDRESS };
  return {
    RateRequest: {
      Request: { RequestOption: "Rate" },
      Shipment: {
        Shipper: { ...place, ShipperNumber: account },
        ShipTo: place,
        ShipFrom: place,
        PaymentDetails: { ShipmentCharge: [{ Type: "01", BillShipper: { AccountNumber: account } }] },
        ShipmentRatingOptions: { NegotiatedRatesIndicator: "Y" },
        Service: { Code: "03" },
        Package: [
          {
            PackagingType: { Code: "02" },
            Dimensions: { UnitOfMeasurement: { Code: "IN" }, Length: "10", Width: "8", Height: "4" },
            PackageWeight: { UnitOfMeasurement: { Code: "LBS" }, Weight: "1" },
          },
        ],
      },
    },
  };
}
