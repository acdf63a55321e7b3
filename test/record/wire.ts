import { randomUUID } from "node:crypto";
import { redactJson, redactText } from "./redact.ts";

/** Where Intuit is and who we are there. */
export type Target = {
  discoveryUrl: string;
  apiBaseUrl: string;
  clientId: string;
  clientSecret: string;
  redirectUri: string;
};

/** One request and its answer as they may be kept: no token, no name, no id of the company. */
export type Exchange = { request: string; status: number; retryAfter: string | null; body: unknown };

export type Reply = { status: number; json: Json; headers: Headers };
type Json = Record<string, unknown>;

type Ask = { query?: Record<string, string>; body?: unknown; form?: FormData; bearer?: string };

/** Speaks to one company, and keeps what was said. */
export type Api = {
  realmId: string;
  exchanges: Exchange[];
  call(method: "GET" | "POST", path: string, ask?: Ask): Promise<Reply>;
  query(statement: string): Promise<Json[]>;
  /** Another pair of tokens for the refresh token in use. @returns the answer of the token endpoint */
  refresh(refreshToken?: string): Promise<Reply>;
  tokens: Tokens;
};

export type Tokens = { access: string; refresh: string };

/** A text that is no other's, for request ids, numbers and notes. */
export const unique = () => randomUUID().slice(0, 8);

export async function endpointsOf({ discoveryUrl }: Target): Promise<{ authorize: string; token: string }> {
  const document = (await (await fetch(discoveryUrl)).json()) as Json;
  return { authorize: String(document["authorization_endpoint"]), token: String(document["token_endpoint"]) };
}

/** A POST to the token endpoint, as Intuit's own clients send it. */
export async function askForTokens(
  target: Target,
  token: string,
  form: Record<string, string>,
): Promise<Reply> {
  const response = await fetch(token, {
    method: "POST",
    headers: {
      authorization: `Basic ${Buffer.from(`${target.clientId}:${target.clientSecret}`).toString("base64")}`,
      accept: "application/json",
      "x-include-refresh-token-hard-expires-in": "true",
    },
    body: new URLSearchParams(form),
  });
  return { status: response.status, headers: response.headers, json: await jsonOf(response) };
}

/** @param secrets texts that must not be kept, beside tokens */
export function createApi(
  target: Target,
  {
    realmId,
    tokens,
    token,
    secrets,
  }: { realmId: string; tokens: Tokens; token: string; secrets: Set<string> },
): Api {
  const exchanges: Exchange[] = [];
  const call: Api["call"] = async (method, path, { query = {}, body, form, bearer } = {}) => {
    const url = new URL(`/v3/company/${realmId}${path}`, target.apiBaseUrl);
    url.search = new URLSearchParams({ minorversion: "75", ...query }).toString();
    const response = await fetch(url, {
      method,
      headers: {
        authorization: `Bearer ${bearer ?? tokens.access}`,
        accept: "application/json",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(form ? { body: form } : body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const json = await jsonOf(response);
    exchanges.push({
      request: redactText(`${method} ${url.pathname}${url.search}`, secrets),
      status: response.status,
      retryAfter: response.headers.get("retry-after"),
      body: redactJson(json, secrets),
    });
    return { status: response.status, json, headers: response.headers };
  };
  return {
    realmId,
    exchanges,
    tokens,
    call,
    query: async (statement) => {
      const { json } = await call("GET", "/query", { query: { query: statement } });
      const found = Object.values((json["QueryResponse"] ?? {}) as Json).find(Array.isArray);
      return (found ?? []) as Json[];
    },
    refresh: async (refreshToken = tokens.refresh) => {
      const form = { grant_type: "refresh_token", refresh_token: refreshToken };
      const reply = await askForTokens(target, token, form);
      exchanges.push({
        request: "POST token endpoint, grant_type=refresh_token",
        status: reply.status,
        retryAfter: reply.headers.get("retry-after"),
        body: { keys: Object.keys(reply.json).sort(), error: reply.json["error"] ?? null },
      });
      return reply;
    },
  };
}

async function jsonOf(response: Response): Promise<Json> {
  const text = await response.text();
  try {
    return JSON.parse(text) as Json;
  } catch {
    return { notJson: text.slice(0, 200) };
  }
}
