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
  /** Facts of the sign-in's answer. */
  signIn: SignIn;
  exchanges: Exchange[];
  /** Texts that must not be kept. */
  secrets: Set<string>;
  call(method: "GET" | "POST", path: string, ask?: Ask): Promise<Reply>;
  query(statement: string): Promise<Json[]>;
  /** Another pair of tokens for the refresh token in use. @returns the response from the token endpoint */
  refresh(refreshToken?: string): Promise<Reply>;
  /** Ends the authorization of these tokens. */
  revoke(): Promise<Reply>;
  tokens: Tokens;
};

/** Claims of the id_token. */
export type SignIn = Record<string, boolean | readonly string[]>;

export type Tokens = { access: string; refresh: string };

/** A unique text, for request ids, numbers and notes. */
export const unique = () => randomUUID().slice(0, 8);

export type Endpoints = { authorize: string; token: string; revoke: string };

export async function discoverEndpoints({ discoveryUrl }: Target): Promise<Endpoints> {
  const document = (await (await fetch(discoveryUrl)).json()) as Json;
  const of = (name: string) => String(document[`${name}_endpoint`]);
  return { authorize: of("authorization"), token: of("token"), revoke: of("revocation") };
}

const basic = ({ clientId, clientSecret }: Target) =>
  `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`;

/** A POST to the token endpoint, as Intuit's own clients send it. */
export async function askForTokens(
  target: Target,
  token: string,
  form: Record<string, string>,
): Promise<Reply> {
  const response = await fetch(token, {
    method: "POST",
    headers: {
      authorization: basic(target),
      accept: "application/json",
      "x-include-refresh-token-hard-expires-in": "true",
    },
    body: new URLSearchParams(form),
  });
  return { status: response.status, headers: response.headers, json: await readJson(response) };
}

/** @param secrets texts that must not be kept, besides tokens */
export function createApi(
  target: Target,
  {
    realmId,
    signIn,
    tokens,
    endpoints,
    secrets,
  }: { realmId: string; signIn: SignIn; tokens: Tokens; endpoints: Endpoints; secrets: Set<string> },
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
    const json = await readJson(response);
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
    signIn,
    exchanges,
    secrets,
    tokens,
    call,
    query: async (statement) => {
      const { json } = await call("GET", "/query", { query: { query: statement } });
      const found = Object.values((json["QueryResponse"] ?? {}) as Json).find(Array.isArray);
      return (found ?? []) as Json[];
    },
    refresh: async (refreshToken = tokens.refresh) => {
      const form = { grant_type: "refresh_token", refresh_token: refreshToken };
      const reply = await askForTokens(target, endpoints.token, form);
      exchanges.push({
        request: "POST token endpoint, grant_type=refresh_token",
        status: reply.status,
        retryAfter: reply.headers.get("retry-after"),
        body: { keys: Object.keys(reply.json).sort(), error: reply.json["error"] ?? null },
      });
      return reply;
    },
    revoke: async () => {
      const response = await fetch(endpoints.revoke, {
        method: "POST",
        headers: { authorization: basic(target), "content-type": "application/json" },
        body: JSON.stringify({ token: tokens.refresh }),
      });
      const json = await readJson(response);
      exchanges.push({
        request: "POST revocation endpoint",
        status: response.status,
        retryAfter: null,
        body: redactJson(json, secrets),
      });
      return { status: response.status, headers: response.headers, json };
    },
  };
}

async function readJson(response: Response): Promise<Json> {
  const text = await response.text();
  try {
    return JSON.parse(text) as Json;
  } catch {
    return { notJson: text };
  }
}
