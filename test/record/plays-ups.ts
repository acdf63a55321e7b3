import { API_VERSION } from "#integrations/ups/config.ts";
import { toShipRequest } from "#integrations/ups/ship.ts";
import type { Shipment } from "#integrations/ups/shipment.ts";
import type { Facts } from "./plays.ts";
import type { UpsApi } from "./wire-ups.ts";
import { unique, type Reply } from "./wire.ts";

/** Input of every play. */
export type UpsStage = {
  api: UpsApi;
  account: string;
  /** Another account that pays; null to leave that out. */
  payer: { account: string; zip: string } | null;
  /** A number that UPS shows as delivered; null to leave that out. */
  delivered: string | null;
};

type UpsPlay = { name: string; play(stage: UpsStage): Promise<Facts> };

/** Numbers of UPS's test environment, from its documents. */
const VOIDS = {
  whole: "1Z2220060290602143",
  inPart: "1Z2220060290530202",
  parts: ["1Z2220060293874210", "1Z2220060292634221"],
} as const;
const RECOVERED = "1Z12345E8791315509";
const ALERTED = ["1ZCIETST0111111114", "1ZCIETST0422222228"] as const;
const UNKNOWN = "1Z1A2B3C0399999999";
const NOT_TRIED = "not tried";
const BURST = 20;

type Faults = { code?: string | number }[];

/** Status, and UPS's code of a refusal in any of its two shapes. */
const toAnswer = ({ status, json }: Reply): string => {
  const { errors = json["errors"] } = (json["response"] ?? {}) as { errors?: unknown };
  const [first] = Array.isArray(errors) ? (errors as Faults) : [];
  return `${status} ${first ? String(first.code) : status < 300 ? "ok" : "without a code"}`;
};

const dig = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (at, name) => (typeof at === "object" && at !== null ? (at as Record<string, unknown>)[name] : undefined),
    value,
  );

const kind = (value: unknown): string =>
  Array.isArray(value) ? "list" : value === undefined ? "nothing" : typeof value;

/** One or more cartons to a consumer, as the product sends them. */
const shipment = (account: string, changes: Partial<Shipment> = {}, packages = 1): Shipment => ({
  shipper: {
    name: "Recording",
    account,
    phone: "7755550100",
    address: { lines: ["9 Wharf Road"], city: "Portland", state: "OR", zip: "97209", country: "US" },
  },
  shipTo: {
    name: "Pat Example",
    phone: "2085550100",
    isResidential: true,
    address: { lines: ["34 Elm Avenue"], city: "Boise", state: "ID", zip: "83702", country: "US" },
  },
  service: "03",
  billing: { mode: "shipper" },
  packages: Array.from({ length: packages }, () => ({
    lengthIn: 10,
    widthIn: 8,
    heightIn: 4,
    weightLb: 2,
    references: [{ code: "PO", value: unique() }],
  })),
  label: "GIF",
  ...changes,
});

const ship = (api: UpsApi, body: object) => api.call("POST", `shipments/${API_VERSION}/ship`, body);

const results = ({ json }: Reply) => dig(json, "ShipmentResponse", "ShipmentResults");

const shipFacts = (reply: Reply) => {
  const packages = dig(results(reply), "PackageResults");
  const [first] = Array.isArray(packages) ? packages : [packages];
  const picture = dig(first, "ShippingLabel", "GraphicImage");
  return [
    toAnswer(reply),
    `packages: ${kind(packages)}`,
    `picture: ${typeof picture === "string" ? "yes" : "no"}`,
  ];
};

/** The same body with another label format, which the product doesn't use. */
const inFormat = (body: object, code: string): object => ({
  ShipmentRequest: {
    ...(dig(body, "ShipmentRequest") as object),
    LabelSpecification: {
      LabelImageFormat: { Code: code },
      LabelStockSize: { Height: "6", Width: "4" },
    },
  },
});

const cancel = async (api: UpsApi, id: string, numbers: readonly string[] = []) => {
  const query = numbers.length > 0 ? `?trackingnumber=${encodeURIComponent(JSON.stringify(numbers))}` : "";
  const reply = await api.call("DELETE", `shipments/${API_VERSION}/void/cancel/${id}${query}`);
  const summary = dig(reply.json, "VoidShipmentResponse", "SummaryResult", "Status", "Description");
  return `${toAnswer(reply)}${typeof summary === "string" ? `, ${summary.trim()}` : ""}`;
};

const recover = (api: UpsApi, query: object) =>
  api.call("POST", "labels/v1/recovery", {
    LabelRecoveryRequest: {
      LabelSpecification: { LabelImageFormat: { Code: "PDF" }, HTTPUserAgent: "Mozilla/4.5" },
      ...query,
    },
  });

const track = (api: UpsApi, number: string) =>
  api.call("GET", `track/v1/details/${number}?locale=en_US&returnSignature=true&returnPOD=true`);

const findPackage = ({ json }: Reply): unknown => {
  const [sent] = (dig(json, "trackResponse", "shipment") ?? []) as unknown[];
  const [first] = (dig(sent, "package") ?? []) as unknown[];
  return first;
};

/** Played in this order: the first renews the tokens that the others use. */
export const UPS_PLAYS: readonly UpsPlay[] = [
  {
    name: "refresh",
    play: async ({ api }) => {
      const used = api.tokens.refresh;
      const refresh = (token: string) =>
        api.ask("/refresh", { grant_type: "refresh_token", refresh_token: token });
      const first = await refresh(used);
      const again = await refresh(used);
      for (const { status, json } of [first, again])
        if (status === 200)
          Object.assign(api.tokens, {
            access: String(json["access_token"]),
            refresh: String(json["refresh_token"]),
          });
      return {
        refreshed: toAnswer(first),
        "a new refresh token came": first.json["refresh_token"] !== used,
        "its times are": kind(first.json["expires_in"]),
        "the used token again": toAnswer(again),
        "the tokens after that": toAnswer(await track(api, UNKNOWN)),
      };
    },
  },
  {
    name: "labels",
    play: async ({ api, account, payer }) => {
      const request = toShipRequest(shipment(account));
      const elsewhere = shipment(account);
      return {
        "a picture": shipFacts(await ship(api, request)),
        "in ZPL": shipFacts(await ship(api, toShipRequest(shipment(account, { label: "ZPL" })))),
        "in EPL": toAnswer(await ship(api, inFormat(request, "EPL"))),
        "three packages": shipFacts(await ship(api, toShipRequest(shipment(account, {}, 3)))),
        "paid by a third party": payer
          ? shipFacts(
              await ship(
                api,
                toShipRequest(
                  shipment(account, { billing: { mode: "third_party", country: "US", ...payer } }),
                ),
              ),
            )
          : NOT_TRIED,
        "a ZIP code of another state": toAnswer(
          await ship(
            api,
            toShipRequest({
              ...elsewhere,
              shipTo: {
                ...elsewhere.shipTo,
                address: { ...elsewhere.shipTo.address, zip: "10001" },
              },
            }),
          ),
        ),
        "an account of others": toAnswer(await ship(api, toShipRequest(shipment("ZZZZZZ")))),
      };
    },
  },
  {
    name: "recovery",
    play: async ({ api, account }) => {
      const byNumber = await recover(api, { TrackingNumber: RECOVERED });
      const label = dig(byNumber.json, "LabelRecoveryResponse", "LabelResults");
      return {
        "by number": toAnswer(byNumber),
        "its labels are": kind(label),
        "by an unknown number": toAnswer(await recover(api, { TrackingNumber: UNKNOWN })),
        "by an unknown reference": toAnswer(
          await recover(api, {
            ReferenceValues: { ReferenceNumber: { Value: unique() }, ShipperNumber: account },
          }),
        ),
      };
    },
  },
  {
    name: "void",
    play: async ({ api }) => ({
      whole: await cancel(api, VOIDS.whole),
      "the same again": await cancel(api, VOIDS.whole),
      "in part": await cancel(api, VOIDS.inPart, VOIDS.parts),
      "an unknown number": await cancel(api, UNKNOWN),
    }),
  },
  {
    name: "track",
    play: async ({ api, delivered }) => {
      const known = delivered === null ? null : await track(api, delivered);
      const found = known && findPackage(known);
      return {
        "an unknown number": toAnswer(await track(api, UNKNOWN)),
        "a delivered one": known ? toAnswer(known) : NOT_TRIED,
        "its last activity is of type": found
          ? String(dig((dig(found, "activity") as unknown[] | undefined)?.[0], "status", "type"))
          : NOT_TRIED,
        "its proof is": found ? kind(dig(found, "deliveryInformation", "pod", "content")) : NOT_TRIED,
      };
    },
  },
  {
    name: "alerts",
    play: async ({ api, account }) => {
      const destination = {
        url: "https://example.com/webhooks/ups",
        credentialType: "Bearer",
        credential: unique(),
      };
      const subscribe = (version: string, numbers: readonly string[], more: object = {}) =>
        api.call("POST", `track/${version}/subscription/standard/package`, {
          locale: "en_US",
          countryCode: "US",
          trackingNumberList: numbers,
          ...more,
        });
      const ofAccount = await api.call("POST", "track/v2/subscription/standard/account", {
        locale: "en_US",
        countryCode: "US",
        shipperAccountNumber: account,
      });
      await api.call("DELETE", `track/v2/subscription/standard/account?shipper_account_number=${account}`);
      return {
        "version 1, a number of the test environment": toAnswer(
          await subscribe("v1", ALERTED, { destination }),
        ),
        "version 1, another number": toAnswer(await subscribe("v1", [UNKNOWN], { destination })),
        "version 1 without a destination": toAnswer(await subscribe("v1", ALERTED)),
        "version 2, a number of the test environment": toAnswer(await subscribe("v2", ALERTED)),
        "version 2, the account": toAnswer(ofAccount),
        "the account's subscription ends": String(ofAccount.json["expiryDate"] ?? "nothing"),
      };
    },
  },
  {
    name: "burst",
    play: async ({ api }) => {
      const replies = await Promise.all(Array.from({ length: BURST }, () => track(api, UNKNOWN)));
      return {
        answers: [...new Set(replies.map(toAnswer))].sort(),
        "an answer says when to retry": replies.some(({ headers }) => headers.has("retry-after")),
      };
    },
  },
];
