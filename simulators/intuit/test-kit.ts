import { afterAll } from "vitest";
import { call, type Answer, type Doc } from "../kit/test-call.ts";
import { startIntuitSimulator, type IntuitSimulatorOptions } from "./start.ts";

export const OLIVE = "5d1f0c1e-0001-4a5e-9c11-000000000001";
export const UNA = "5d1f0c1e-0001-4a5e-9c11-000000000007";
export const ACME = "9130357849016936";
export const BAY = "9130357849016944";
export const MAPLE = "9130357849016960";
export const CALLBACK = "http://localhost:3000/oauth/intuit/callback";
export const BASIC = `Basic ${btoa("dockside-demo:dockside-demo-secret")}`;

const NO_LIMITS = {
  perMinute: null,
  perSecond: null,
  batchPerMinute: null,
  batchPerMinuteRealm: null,
  atOnce: null,
};

type Json = Record<string, unknown>;

/** Starts a simulator for one test, with its control interface and an app connected to a company. */
export async function startTestIntuit(options: Partial<IntuitSimulatorOptions> = {}) {
  const simulator = await startIntuitSimulator({ port: 0, ...options });
  const { url } = simulator;
  const control = async (method: string, path: string, body?: unknown): Promise<Doc> => {
    const answer = await call(`${url}/_sim/${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.body;
  };
  const code = async (grant: Json = {}): Promise<string> => {
    const answer = await control("POST", "grants", {
      sub: OLIVE,
      realmId: ACME,
      redirect_uri: CALLBACK,
      ...grant,
    });
    return String(answer["code"]);
  };
  const token = (form: Record<string, string>, headers: Record<string, string> = {}) =>
    call(`${url}/oauth2/v1/tokens/bearer`, {
      method: "POST",
      headers: { authorization: BASIC, accept: "application/json", ...headers },
      body: new URLSearchParams(form),
    });
  const connect = async (realmId = ACME) => {
    const grant = await token({
      grant_type: "authorization_code",
      code: await code({ realmId }),
      redirect_uri: CALLBACK,
    });
    const tokens = {
      access: String(grant.body["access_token"]),
      refresh: String(grant.body["refresh_token"]),
    };
    const api = (
      method: string,
      path: string,
      { body, headers }: { body?: unknown; headers?: Record<string, string> } = {},
    ) =>
      call(`${url}/v3/company/${realmId}/${path}`, {
        method,
        headers: { accept: "application/json", authorization: `Bearer ${tokens.access}`, ...headers },
        ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      });
    const query = (statement: string) =>
      api("GET", `query?query=${encodeURIComponent(statement)}&minorversion=75`);
    return { tokens, api, query };
  };
  /** Disables the rate limits of a company. */
  const unlimited = (realmId = ACME) => control("PATCH", `companies/${realmId}`, { limits: NO_LIMITS });
  /** Number of requests hit by fault rules so far. */
  const hits = async (): Promise<number> => {
    const { rules } = await control("GET", "faults");
    return (rules as unknown as { fired: number }[]).reduce((sum, { fired }) => sum + fired, 0);
  };
  return { ...simulator, control, code, token, connect, unlimited, hits };
}

/**
 * Starts a simulator for a test file, without rate limits, and connects an app to Acme Tools; stops after the
 * file.
 */
export async function openTestBooks() {
  const intuit = await startTestIntuit();
  afterAll(() => intuit.close());
  await intuit.unlimited();
  return { intuit, acme: await intuit.connect() };
}

/** Builds a minimal invoice for a customer and item of the demo seed. */
export function invoiceBody(extra: Json = {}): Json {
  return {
    CustomerRef: { value: "1" },
    Line: [
      { Amount: 100, DetailType: "SalesItemLineDetail", SalesItemLineDetail: { ItemRef: { value: "19" } } },
    ],
    ...extra,
  };
}

/** Reads code and element of the first error of a fault. */
export function readFault(answer: Answer): {
  status: number;
  code: string;
  detail: string;
  element: unknown;
} {
  const error = answer.body["Fault"]?.["Error"]?.[0];
  return {
    status: answer.status,
    code: String(error?.["code"]),
    detail: String(error?.["Detail"]),
    element: error?.["element"],
  };
}
