import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ACME, grantFor, startIntuit, type TestIntuit } from "#integrations/intuit/fixtures/open-books.ts";
import { createIntuitSignIn } from "#integrations/intuit/sign-in.ts";

let intuit: TestIntuit;
let owner: { sub: string };
beforeAll(async () => {
  intuit = await startIntuit();
  owner = await findOwner(intuit);
});
afterAll(() => intuit.close());
beforeEach(async () => {
  await intuit.control("DELETE", "/faults");
  await intuit.control("DELETE", "/journal");
});

async function findOwner({ control }: TestIntuit): Promise<{ sub: string }> {
  const { admins } = (await control("GET", `/companies/${ACME}`)) as { admins: string[] };
  return { sub: admins[0] ?? "" };
}

const catchFailure = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

function callback(parameters: Record<string, string>): URL {
  const url = new URL(intuit.config.redirectUri);
  url.search = new URLSearchParams(parameters).toString();
  return url;
}

async function operations(): Promise<string[]> {
  const { entries } = (await intuit.control("GET", "/journal")) as { entries: { operation: string }[] };
  return entries.map((entry) => entry.operation);
}

test("the sign-in address requests the user's identity only, the connect address also the books", async () => {
  const url = new URL(await intuit.signIn.authorizeUrl({ state: "s-1", scopes: "sign-in" }));
  expect(`${url.origin}${url.pathname}`).toBe(`${intuit.url}/connect/oauth2`);
  expect(Object.fromEntries(url.searchParams)).toEqual({
    client_id: "dockside-demo",
    redirect_uri: intuit.config.redirectUri,
    response_type: "code",
    scope: "openid profile email",
    state: "s-1",
  });
  const connect = new URL(await intuit.signIn.authorizeUrl({ state: "s-2", scopes: "connect" }));
  expect(connect.searchParams.get("scope")).toBe("openid profile email com.intuit.quickbooks.accounting");
});

test("consent gives tokens, their expiry, who consented, and the company", async () => {
  const now = intuit.clock.now().getTime();
  const grant = await grantFor(intuit, { ...owner, realmId: ACME });
  expect(grant).toMatchObject({ sub: owner.sub, realmId: ACME });
  const { tokens } = grant;
  expect((tokens.accessExpiresAt.getTime() - now) / 1000).toBeCloseTo(3600, -1);
});

test("signing in alone gives no company", async () => {
  expect(await grantFor(intuit, owner)).toMatchObject({ sub: owner.sub, realmId: null });
});

test("the user's name and e-mail are returned under our names", async () => {
  const { tokens, sub } = await grantFor(intuit, owner);
  expect(await intuit.signIn.userinfo(tokens.accessToken, sub)).toEqual({
    sub,
    givenName: expect.stringMatching(/./),
    familyName: expect.stringMatching(/./),
    email: expect.stringContaining("@"),
    emailVerified: true,
  });
});

test("the name of a user other than the one who signed in is refused", async () => {
  const { tokens } = await grantFor(intuit, owner);
  expect(await catchFailure(intuit.signIn.userinfo(tokens.accessToken, "somebody-else"))).toMatchObject({
    kind: "auth",
  });
});

test("an invalid token gives no user", async () => {
  expect(await catchFailure(intuit.signIn.userinfo("forged", owner.sub))).toMatchObject({
    kind: "auth",
    http: 401,
  });
});

test("an answer with another state, a used code, a forged code or a refusal gives no tokens", async () => {
  const { code } = await intuit.control("POST", "/grants", {
    ...owner,
    redirect_uri: intuit.config.redirectUri,
  });
  const good = { code: String(code), state: "s" };
  const exchange = (parameters: Record<string, string>) =>
    catchFailure(intuit.signIn.exchangeCode(callback(parameters), "s"));
  expect(await exchange({ ...good, state: "other" })).toMatchObject({ kind: "auth" });
  expect(await exchange(good)).toBeNull();
  expect(await exchange(good)).toMatchObject({
    kind: "reconnect",
    http: 400,
    tid: expect.stringMatching(/./),
  });
  expect(await exchange({ ...good, code: "forged" })).toMatchObject({ kind: "reconnect" });
  const refused = await exchange({ error: "access_denied", state: "s" });
  expect(refused).toMatchObject({ kind: "auth", faults: [{ code: "access_denied" }] });
});

test("a company in the address other than the signed one is refused", async () => {
  const { code } = await intuit.control("POST", "/grants", {
    ...owner,
    realmId: ACME,
    redirect_uri: intuit.config.redirectUri,
  });
  const url = callback({ code: String(code), state: "s", realmId: "9130357849016999" });
  expect(await catchFailure(intuit.signIn.exchangeCode(url, "s"))).toMatchObject({ kind: "auth" });
});

test("an id_token whose signature is not Intuit's is refused", async () => {
  const forging = createIntuitSignIn(intuit.config, {
    clock: intuit.clock,
    log: intuit.log,
    fetch: async (url, request) => {
      const response = await intuit.outbound(url, request);
      if (!String(url).endsWith("/tokens/bearer")) return response;
      const answer = (await response.json()) as Record<string, string>;
      const [head, , signature] = (answer["id_token"] ?? "").split(".");
      const claims = JSON.parse(
        Buffer.from(answer["id_token"]?.split(".")[1] ?? "", "base64url").toString(),
      ) as object;
      const forged = Buffer.from(JSON.stringify({ ...claims, sub: "somebody-else" })).toString("base64url");
      return Response.json({ ...answer, id_token: `${head}.${forged}.${signature}` });
    },
  });
  const { code } = await intuit.control("POST", "/grants", {
    ...owner,
    redirect_uri: intuit.config.redirectUri,
  });
  const url = callback({ code: String(code), state: "s" });
  expect(await catchFailure(forging.exchangeCode(url, "s"))).toMatchObject({ kind: "auth" });
});

test("a proxy may change our own address; Intuit gets the registered one", async () => {
  const { code } = await intuit.control("POST", "/grants", {
    ...owner,
    redirect_uri: intuit.config.redirectUri,
  });
  const inside = new URL(`http://10.0.0.7:8080/oauth/intuit/callback?code=${String(code)}&state=s`);
  await expect(intuit.signIn.exchangeCode(inside, "s")).resolves.toMatchObject({ sub: owner.sub });
});

test("a refresh renews the tokens, and a replaced refresh token means reconnecting", async () => {
  await intuit.control("PATCH", "/settings", { rotation: "every-time" });
  const { tokens } = await grantFor(intuit, { ...owner, realmId: ACME });
  const renewed = await intuit.signIn.refresh(tokens.refreshToken);
  expect(renewed.accessToken).not.toBe(tokens.accessToken);
  expect(renewed.refreshToken).not.toBe(tokens.refreshToken);
  const stale = await catchFailure(intuit.signIn.refresh(tokens.refreshToken));
  expect(stale).toMatchObject({ kind: "reconnect", http: 400, faults: [{ code: "invalid_grant" }] });
  await intuit.control("PATCH", "/settings", { rotation: "sticky24h" });
});

test.each(["500", "503", "half_body", "reset", "committed_answer_lost", "429"])(
  "a refresh that ends in %s is sent once and never repeated automatically",
  async (fault) => {
    const { tokens } = await grantFor(intuit, { ...owner, realmId: ACME });
    await intuit.control("DELETE", "/journal");
    await intuit.control("POST", "/faults", [{ fault, match: { operation: "oauth.refresh_token" } }]);
    const error = await catchFailure(intuit.signIn.refresh(tokens.refreshToken));
    expect(error).toMatchObject({ name: "IntuitError", kind: fault === "429" ? "throttled" : "uncertain" });
    expect(await operations()).toEqual(["oauth.refresh_token"]);
  },
);

test("wrong application keys are our fault, not the company's", async () => {
  const wrong = createIntuitSignIn(
    { ...intuit.config, clientSecret: "wrong" },
    { fetch: intuit.outbound, clock: intuit.clock, log: intuit.log },
  );
  expect(await catchFailure(wrong.refresh("RT1-1-H0-x"))).toMatchObject({ kind: "bug", http: 401 });
});

test("revoking ends both tokens; revoking again reports that there is nothing to end", async () => {
  const { tokens, sub } = await grantFor(intuit, { ...owner, realmId: ACME });
  await intuit.signIn.revoke(tokens.refreshToken);
  expect(await catchFailure(intuit.signIn.userinfo(tokens.accessToken, sub))).toMatchObject({ kind: "auth" });
  expect(await catchFailure(intuit.signIn.refresh(tokens.refreshToken))).toMatchObject({ kind: "reconnect" });
});

test("the service is discovered once a day, and again after a failure", async () => {
  const fresh = createIntuitSignIn(intuit.config, {
    fetch: intuit.outbound,
    clock: intuit.clock,
    log: intuit.log,
  });
  await intuit.control("POST", "/faults", [{ fault: "503", match: { operation: "discovery" }, once: true }]);
  expect(await catchFailure(fresh.authorizeUrl({ state: "s", scopes: "sign-in" }))).toMatchObject({
    kind: "system",
  });
  await fresh.authorizeUrl({ state: "s", scopes: "sign-in" });
  await fresh.authorizeUrl({ state: "s", scopes: "sign-in" });
  expect(await operations()).toEqual(["discovery", "discovery"]);
  await intuit.clock.sleep(24 * 60 * 60 * 1000);
  await fresh.authorizeUrl({ state: "s", scopes: "sign-in" });
  expect(await operations()).toHaveLength(3);
});

const unreachable = () => Promise.reject(new TypeError("fetch failed"));
/** A discovery response that an attacker made up. */
const ofOthers = () =>
  Promise.resolve(
    Response.json({
      issuer: "https://evil.example",
      authorization_endpoint: "https://evil.example/connect",
      token_endpoint: "https://evil.example/token",
      jwks_uri: "https://evil.example/keys",
    }),
  );

test.each([
  ["discovery is unreachable", unreachable],
  ["the discovered issuer is another one", ofOthers],
])("with the real service, sign-in works on known addresses while %s", async (_while, fetch) => {
  const real = createIntuitSignIn(
    {
      ...intuit.config,
      discoveryUrl: "https://developer.api.intuit.com/.well-known/openid_sandbox_configuration",
      apiBaseUrl: "https://sandbox-quickbooks.api.intuit.com",
      simulator: false,
    },
    { fetch, clock: intuit.clock, log: intuit.log },
  );
  const url = await real.authorizeUrl({ state: "s", scopes: "connect" });
  expect(url).toContain("https://appcenter.intuit.com/connect/oauth2?");
});

test("no line of the log contains a token, code or secret", async () => {
  const { tokens, sub } = await grantFor(intuit, { ...owner, realmId: ACME });
  await intuit.signIn.userinfo(tokens.accessToken, sub);
  const renewed = await intuit.signIn.refresh(tokens.refreshToken);
  intuit.log.error({ err: await catchFailure(intuit.signIn.refresh("RT1-1-H0-forged")) }, "refresh failed");
  intuit.log.error(
    { err: await catchFailure(intuit.signIn.userinfo(`${tokens.accessToken}x`, sub)) },
    "userinfo failed",
  );
  const log = intuit.lines.join("\n");
  expect(log).toContain("/oauth2/v1/tokens/bearer");
  for (const secret of [
    tokens.accessToken,
    tokens.refreshToken,
    renewed.accessToken,
    "dockside-demo-secret",
    "RT1-1-H0-forged",
  ]) {
    expect(log).not.toContain(secret);
  }
});
