import { afterAll, afterEach, expect, test } from "vitest";
import { ACME, CALLBACK, OLIVE, startTestIntuit, UNA } from "./test-kit.ts";

const intuit = await startTestIntuit();
afterAll(() => intuit.close());
afterEach(() =>
  intuit.control("PATCH", "settings", {
    rotation: "sticky24h",
    reuse: "reject",
    revokeScope: "grant",
    idTokenOnRefresh: false,
  }),
);

const DAY_MS = 86_400_000;
const refresh = (token: string, headers = {}) =>
  intuit.token({ grant_type: "refresh_token", refresh_token: token }, headers);
const takeRefreshToken = async (token: string) => String((await refresh(token)).body["refresh_token"]);
const advance = (ms: number) => intuit.control("POST", "clock", { advanceMs: ms });

test("both addresses of the discovery document work, without PKCE, nonce or API scopes", async () => {
  for (const name of ["openid_configuration", "openid_sandbox_configuration"]) {
    const document: unknown = await (await fetch(`${intuit.url}/.well-known/${name}`)).json();
    expect(document).toMatchObject({
      issuer: `${intuit.url}/op/v1`,
      scopes_supported: ["openid", "email", "profile", "address", "phone"],
    });
    expect(document).not.toHaveProperty("code_challenge_methods_supported");
  }
});

test("tokens come with lower-case bearer, no caching, a tid, and the hard expiry only on request", async () => {
  const { tokens } = await intuit.connect();
  const plain = await refresh(tokens.refresh);
  expect(Object.keys(plain.body)).toEqual([
    "token_type",
    "expires_in",
    "access_token",
    "refresh_token",
    "x_refresh_token_expires_in",
  ]);
  expect(plain.body["token_type"]).toBe("bearer");
  expect(plain.headers.get("cache-control")).toBe("no-cache, no-store");
  expect(plain.headers.get("intuit_tid")).toMatch(/^1-/);
  const asked = await refresh(tokens.refresh, { "x-include-refresh-token-hard-expires-in": "true" });
  expect(Number(asked.body["x_refresh_token_hard_expires_in"])).toBeGreaterThan(157_600_000);
});

test("the refresh token stays the same within 24 hours, then changes, and the old one stops working", async () => {
  const { tokens } = await intuit.connect();
  expect(await takeRefreshToken(tokens.refresh)).toBe(tokens.refresh);
  await advance(DAY_MS + 1000);
  const second = await takeRefreshToken(tokens.refresh);
  expect(second).not.toBe(tokens.refresh);
  expect(await refresh(tokens.refresh)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
  expect((await refresh(second)).status).toBe(200);
});

test("of two concurrent refreshes exactly one succeeds if every refresh rotates", async () => {
  await intuit.control("PATCH", "settings", { rotation: "every-time" });
  const { tokens } = await intuit.connect();
  const statuses = (await Promise.all([refresh(tokens.refresh), refresh(tokens.refresh)])).map(
    ({ status }) => status,
  );
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 400]);
});

test("a replaced token can have a day of grace, or end the whole grant", async () => {
  await intuit.control("PATCH", "settings", { rotation: "every-time", reuse: "grace24h" });
  const { tokens } = await intuit.connect();
  const second = await takeRefreshToken(tokens.refresh);
  expect(await takeRefreshToken(tokens.refresh)).toBe(second);
  await intuit.control("PATCH", "settings", { reuse: "revoke-family" });
  expect((await refresh(tokens.refresh)).status).toBe(400);
  expect((await refresh(second)).status).toBe(400);
});

test("access tokens expire after an hour, refresh tokens after 100 idle days", async () => {
  const { tokens, api } = await intuit.connect();
  await advance(3_601_000);
  expect((await api("GET", "preferences")).status).toBe(401);
  expect((await refresh(tokens.refresh)).status).toBe(200);
  await advance(100 * DAY_MS + 1000);
  expect((await refresh(tokens.refresh)).status).toBe(400);
});

test("a code works once, for ten minutes, with its own redirect address", async () => {
  const exchange = (code: string, redirectUri = CALLBACK) =>
    intuit.token({ grant_type: "authorization_code", code, redirect_uri: redirectUri });
  const code = await intuit.code();
  expect((await exchange(code)).status).toBe(200);
  const wrong = {
    status: 400,
    body: { error: "invalid_grant", error_description: "Invalid authorization code" },
  };
  expect(await exchange(code)).toMatchObject(wrong);
  expect(await exchange(await intuit.code(), "http://localhost:3000/other")).toMatchObject(wrong);
  const late = await intuit.code();
  await advance(601_000);
  expect(await exchange(late)).toMatchObject(wrong);
});

test("wrong keys get 401 invalid_client, an unknown grant type 400", async () => {
  const badKeys = { authorization: `Basic ${btoa("dockside-demo:nope")}` };
  expect(await intuit.token({ grant_type: "refresh_token" }, badKeys)).toMatchObject({
    status: 401,
    body: { error: "invalid_client" },
  });
  expect(await intuit.token({ grant_type: "password" })).toMatchObject({
    status: 400,
    body: { error: "unsupported_grant_type" },
  });
  expect(await intuit.token({})).toMatchObject({ status: 400, body: { error: "invalid_request" } });
});

test("a JSON revoke ends one grant or, by a setting, all of the app's for the company", async () => {
  const revoke = (token: string) =>
    fetch(`${intuit.url}/v2/oauth2/tokens/revoke`, {
      method: "POST",
      headers: {
        authorization: `Basic ${btoa("dockside-demo:dockside-demo-secret")}`,
        "content-type": "application/json",
      },
      body: JSON.stringify({ token }),
    });
  const [first, second] = [await intuit.connect(), await intuit.connect()];
  const answer = await revoke(first.tokens.refresh);
  expect([answer.status, await answer.text()]).toEqual([200, ""]);
  expect((await first.api("GET", "preferences")).status).toBe(401);
  expect((await second.api("GET", "preferences")).status).toBe(200);
  expect((await revoke("nonsense")).status).toBe(400);
  await intuit.control("PATCH", "settings", { revokeScope: "realm" });
  const three = await intuit.connect();
  await revoke(three.tokens.access);
  expect((await second.api("GET", "preferences")).status).toBe(401);
});

test("an unverified e-mail shows in userinfo, and fields follow the scopes", async () => {
  const userinfo = async (sub: string, scope: string) => {
    const code = await intuit.code({ sub, scope, realmId: null });
    const { body } = await intuit.token({ grant_type: "authorization_code", code, redirect_uri: CALLBACK });
    const headers = { authorization: `Bearer ${String(body["access_token"])}` };
    return (await fetch(`${intuit.url}/v1/openid_connect/userinfo`, { headers })).json();
  };
  expect(await userinfo(UNA, "openid email")).toEqual({
    sub: UNA,
    email: "una@acme.example",
    emailVerified: false,
  });
  expect(await userinfo(OLIVE, "openid profile phone")).toEqual({
    sub: OLIVE,
    givenName: "Olive",
    familyName: "Owner",
    phoneNumber: "+1 5550100",
    phoneNumberVerified: false,
  });
});

test("every invalid authorize request gets the same error page and no redirect", async () => {
  const good = {
    client_id: "dockside-demo",
    response_type: "code",
    scope: "openid",
    redirect_uri: CALLBACK,
    state: "s",
  };
  const page = async (change: Record<string, string>) => {
    const query = new URLSearchParams({ ...good, ...change });
    const answer = await fetch(`${intuit.url}/connect/oauth2?${query.toString()}`, { redirect: "manual" });
    return { status: answer.status, text: await answer.text() };
  };
  expect((await page({})).status).toBe(200);
  const broken = [
    { client_id: "who" },
    { redirect_uri: "http://127.0.0.1:3000/x" },
    { redirect_uri: "http://localhost.evil.example/" },
    { scope: "" },
  ];
  const pages = await Promise.all(broken.map((change) => page(change)));
  expect(new Set(pages.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(pages[0]?.status).toBe(400);
});

test("a registered app may only redirect to its own addresses, and a user can only connect their own companies", async () => {
  await intuit.control("POST", "clients", {
    client_id: "strict",
    secret: "s",
    redirect_uris: ["https://app.example/cb"],
  });
  const decide = (fields: Record<string, string>) =>
    fetch(`${intuit.url}/connect/oauth2`, {
      method: "POST",
      body: new URLSearchParams(fields),
      redirect: "manual",
    });
  const consent = {
    client_id: "strict",
    response_type: "code",
    scope: "com.intuit.quickbooks.accounting",
    state: "s",
    decision: "allow",
    sim_realm: ACME,
  };
  expect(
    (await decide({ ...consent, redirect_uri: "https://app.example/cb2", sim_user: OLIVE })).status,
  ).toBe(400);
  expect((await decide({ ...consent, redirect_uri: "https://app.example/cb", sim_user: OLIVE })).status).toBe(
    302,
  );
  const foreign = await decide({ ...consent, redirect_uri: "https://app.example/cb", sim_user: UNA });
  expect(foreign.status).toBe(200);
  expect(await foreign.text()).toContain("isn't an admin of any company");
});
