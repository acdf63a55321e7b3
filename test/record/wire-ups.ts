import { redactJson } from "./redact.ts";
import type { Exchange, Reply } from "./wire.ts";

/** UPS, our app there, and the shipper's account that pays. */
export type UpsTarget = {
  baseUrl: string;
  clientId: string;
  clientSecret: string;
  redirectUri: string;
  account: string;
};

/** Speaks for one UPS ID, and keeps what was said: no token, no number, no name. */
export type UpsApi = {
  exchanges: Exchange[];
  call(method: "GET" | "POST" | "DELETE", path: string, body?: object): Promise<Reply>;
  /** Asks the token endpoint, with the app's secret. */
  ask(path: "/token" | "/refresh", form: Record<string, string>): Promise<Reply>;
  tokens: { access: string; refresh: string };
};

/** Numbers of packages, shipments and accounts, and queries. */
const withoutNumbers = (path: string) =>
  path.replace(/\?.*/, "?…").replaceAll(/\/(?=[^/]*\d)[^/]{6,}(?=\/|\?|$)/g, "/…");

export function createUpsApi({ baseUrl, clientId, clientSecret }: UpsTarget): UpsApi {
  const exchanges: Exchange[] = [];
  const tokens = { access: "", refresh: "" };
  const send = async (request: string, url: URL, init: RequestInit): Promise<Reply> => {
    const response = await fetch(url, init);
    const text = await response.text();
    const json = readObject(text);
    exchanges.push({
      request,
      status: response.status,
      retryAfter: response.headers.get("retry-after"),
      body: request.includes("oauth")
        ? { keys: Object.keys(json).sort(), faults: redactJson(json["response"] ?? null, new Set()) }
        : redactJson(json, new Set()),
    });
    return { status: response.status, json, headers: response.headers };
  };
  return {
    exchanges,
    tokens,
    call: (method, path, body) =>
      send(`${method} ${withoutNumbers(path)}`, new URL(`/api/${path}`, baseUrl), {
        method,
        headers: {
          authorization: `Bearer ${tokens.access}`,
          "content-type": "application/json",
          transId: "dockside-record",
          transactionSrc: "dockside",
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      }),
    ask: (path, form) =>
      send(`POST oauth${path}`, new URL(`/security/v1/oauth${path}`, baseUrl), {
        method: "POST",
        headers: {
          authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`,
        },
        body: new URLSearchParams(form),
      }),
  };
}

function readObject(text: string): Reply["json"] {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return { notJson: text === "" ? "nothing" : "text" };
  }
}
