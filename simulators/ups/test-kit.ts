import { afterAll } from "vitest";
import { call, type Answer, type Doc } from "../kit/test-call.ts";
import { startUpsSimulator, type UpsSimulatorOptions } from "./start.ts";

export const CALLBACK = "http://localhost:3000/ups-callback";
export const BASIC = `Basic ${Buffer.from("dockside-demo:dockside-demo-secret").toString("base64")}`;

/** Starts a simulator for a test file, with its own clock, and stops it after the file. */
export async function startTestUps(options: Partial<UpsSimulatorOptions> = {}) {
  const ups = await startUpsSimulator({ port: 0, ...options });
  let closing: Promise<void> | null = null;
  const close = () => (closing ??= ups.close());
  afterAll(close);
  const control = async (method: string, path: string, body?: unknown): Promise<Doc> => {
    const answer = await call(`${ups.url}/_sim/${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.body;
  };
  const tokenFor = async (user: string): Promise<string> => {
    const { code } = await control("POST", "codes", { user, redirect_uri: CALLBACK });
    const answer = await call(`${ups.url}/security/v1/oauth/token`, {
      method: "POST",
      headers: { authorization: BASIC },
      body: new URLSearchParams({
        grant_type: "authorization_code",
        code: String(code),
        redirect_uri: CALLBACK,
      }),
    });
    return String(answer.body["access_token"]);
  };
  /** Signs a user in. @returns calls with that user's token */
  const connect = async (user = "acme-shipping") => {
    const token = await tokenFor(user);
    return (method: string, path: string, body?: unknown) =>
      call(`${ups.url}/api/${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, transId: "0123456789abcdef", transactionSrc: "test" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
  };
  const journal = async (operation: string): Promise<Doc[]> => {
    const { entries } = await control("GET", "journal");
    return (entries as unknown as Doc[]).filter((entry) => String(entry["operation"]) === operation);
  };
  return { ...ups, close, control, connect, journal };
}

type Json = Record<string, unknown>;

/** An order to a consumer in Georgia, paid by the retailer, with changes at the dotted paths. */
export function shipBody(changes: Json = {}, packages: readonly Json[] = [packageBody()]): Json {
  const body = {
    ShipmentRequest: {
      Request: {
        RequestOption: "nonvalidate",
        SubVersion: "2205",
        TransactionReference: { CustomerContext: "job-1" },
      },
      Shipment: {
        Description: "Tools",
        Shipper: {
          Name: "Acme Tools",
          ShipperNumber: "1A2B3C",
          Phone: { Number: "6505550100" },
          Address: {
            AddressLine: ["1 Dock Rd"],
            City: "Mountain View",
            StateProvinceCode: "CA",
            PostalCode: "94043",
            CountryCode: "US",
          },
        },
        ShipTo: {
          Name: "Renée O'Hara",
          Phone: { Number: "4045550123" },
          Address: {
            AddressLine: ["12 Peachtree St NE", "Apt 4"],
            City: "Atlanta",
            StateProvinceCode: "GA",
            PostalCode: "303391234",
            CountryCode: "US",
            ResidentialAddressIndicator: "",
          },
        },
        PaymentInformation: {
          ShipmentCharge: [
            {
              Type: "01",
              BillThirdParty: {
                AccountNumber: "R9H77W",
                Address: { PostalCode: "30339", CountryCode: "US" },
              },
            },
          ],
        },
        Service: { Code: "03" },
        Package: packages,
      },
      LabelSpecification: {
        LabelImageFormat: { Code: "GIF" },
        LabelStockSize: { Height: "6", Width: "4" },
      },
    },
  };
  for (const [path, value] of Object.entries(changes)) change(body.ShipmentRequest, path.split("."), value);
  return body;
}

/** Payment by the shipper's own account. */
export const OWN_ACCOUNT = {
  "Shipment.PaymentInformation": { ShipmentCharge: { Type: "01", BillShipper: { AccountNumber: "1A2B3C" } } },
};

export const packageBody = (changes: Json = {}): Json => {
  const body = {
    Packaging: { Code: "02" },
    Dimensions: { UnitOfMeasurement: { Code: "IN" }, Length: "12", Width: "9", Height: "6" },
    PackageWeight: { UnitOfMeasurement: { Code: "LBS" }, Weight: "5.5" },
    ReferenceNumber: [{ Code: "PO", Value: "PO-4711" }],
  };
  for (const [path, value] of Object.entries(changes)) change(body, path.split("."), value);
  return body;
};

/** Sets a value at a path; undefined removes it. */
function change(target: Json, [name = "", ...rest]: string[], value: unknown): void {
  if (rest.length > 0) change((target[name] ??= {}) as Json, rest, value);
  else if (value === undefined) Reflect.deleteProperty(target, name);
  else target[name] = value;
}

/** Codes of a refusal, in order. */
export const readCodes = ({ body }: Answer): string[] =>
  ((body["response"]?.["errors"] ?? []) as unknown as { code: string }[]).map(({ code }) => code);

/** Packages of a tracking answer. */
export const readPackages = ({ body }: Answer): Doc[] =>
  (body["trackResponse"]?.["shipment"]?.[0]?.["package"] ?? []) as unknown as Doc[];
