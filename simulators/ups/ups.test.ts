import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startUpsSimulator } from "./start.ts";

let ups: Awaited<ReturnType<typeof startUpsSimulator>>;
beforeAll(async () => {
  ups = await startUpsSimulator({ port: 0 });
});
afterAll(() => ups.close());

const CALLBACK = "http://localhost:3000/ups-callback";
const BASIC = `Basic ${Buffer.from("dockside-demo:dockside-demo-secret").toString("base64")}`;
type Fields = Record<string, string>;

const control = async <T>(path: string, body?: object, method = body ? "POST" : "GET"): Promise<T> =>
  (await (
    await fetch(`${ups.url}/_sim/${path}`, { method, ...(body ? { body: JSON.stringify(body) } : {}) })
  ).json()) as T;

const authorize = (fields: Fields = {}) => {
  const query = { client_id: "dockside-demo", redirect_uri: CALLBACK, response_type: "code", ...fields };
  return fetch(`${ups.url}/security/v1/oauth/authorize?${new URLSearchParams(query)}`, {
    redirect: "manual",
  });
};

/** Signs in at the page that `/authorize` leads to. @returns the address of the callback */
async function signIn(
  fields: Fields = {},
  choice: Fields = { sim_user: "acme-shipping", decision: "allow" },
) {
  const page = new URL((await authorize(fields)).headers.get("location") ?? "");
  const body = new URLSearchParams([...page.searchParams, ...Object.entries(choice)]);
  const answer = await fetch(`${ups.url}/lasso/signin`, { method: "POST", body, redirect: "manual" });
  return new URL(answer.headers.get("location") ?? "").searchParams;
}

async function ask(path: string, form: Fields, authorization: string | null = BASIC) {
  const response = await fetch(`${ups.url}/security/v1/oauth/${path}`, {
    method: "POST",
    headers: authorization === null ? {} : { authorization },
    body: new URLSearchParams(form),
  });
  return { status: response.status, body: (await response.json()) as Fields };
}

const exchange = (code: string, more: Fields = {}, authorization: string | null = BASIC) =>
  ask("token", { grant_type: "authorization_code", code, redirect_uri: CALLBACK, ...more }, authorization);

const refusedWith = (code: string) => ({
  response: { errors: [{ code, message: expect.any(String) as string }] },
});

test("authorizing leads to the sign-in page, and back with a code and the state", async () => {
  const reply = await authorize({ state: "s1", scope: "read" });
  expect(reply.status).toBe(302);
  const page = new URL(reply.headers.get("location") ?? "");
  expect([page.pathname, page.searchParams.get("type")]).toEqual(["/lasso/signin", "ups_com_api"]);
  expect(await (await fetch(page)).text()).toContain("Nora Newcomer");
  const back = await signIn({ state: "s1" });
  expect([back.get("state"), typeof back.get("code")]).toEqual(["s1", "string"]);
  const refused = await signIn({ state: "s2" }, { sim_user: "acme-shipping", decision: "refuse" });
  expect([refused.get("error"), refused.get("state"), refused.get("code")]).toEqual([
    "access_denied",
    "s2",
    null,
  ]);
});

test.each([
  ["an unknown app", { client_id: "nobody" }, 401, "10401"],
  ["an address that is not registered", { redirect_uri: "https://evil.example/ups-callback" }, 400, "10400"],
])("%s is refused, in the body and in headers", async (_name, fields, status, code) => {
  const reply = await authorize(fields);
  expect(reply.status).toBe(status);
  expect(reply.headers.get("errorcode")).toBe(code);
  expect(await reply.json()).toEqual(refusedWith(code));
});

test("a code and a refresh token work once; every value in an answer is a string", async () => {
  const code = (await signIn()).get("code") ?? "";
  const first = await exchange(code);
  expect(first.body).toMatchObject({
    expires_in: "3599",
    refresh_token_expires_in: "5183999",
    refresh_count: "0",
  });
  expect(Object.values(first.body).every((value) => typeof value === "string")).toBe(true);
  expect(await exchange(code)).toMatchObject({ status: 400, body: refusedWith("10400") });
  const renew = (refresh_token: string) => ask("refresh", { grant_type: "refresh_token", refresh_token });
  const second = await renew(first.body["refresh_token"] ?? "");
  expect(second.body).toMatchObject({ refresh_count: "1" });
  expect(await renew(first.body["refresh_token"] ?? "")).toMatchObject({ status: 401 });
  expect(await renew(second.body["refresh_token"] ?? "")).toMatchObject({ status: 200 });
});

test("with PKCE the verifier proves the app, and a secret is refused", async () => {
  const verifier = "v".repeat(64);
  const challenge = createHash("sha256").update(verifier).digest("base64url");
  const code = async () => (await signIn({ code_challenge: challenge })).get("code") ?? "";
  const proof = { client_id: "dockside-demo", code_verifier: verifier };
  expect(await exchange(await code(), proof)).toMatchObject({ status: 400 });
  expect(await exchange(await code(), { ...proof, code_verifier: "wrong" }, null)).toMatchObject({
    status: 400,
  });
  expect(await exchange(await code(), proof, null)).toMatchObject({ status: 200 });
});

test("an app acts for itself with its credentials, and gets no refresh token", async () => {
  const own = await ask("token", { grant_type: "client_credentials" });
  expect(own.body["access_token"]).toEqual(expect.any(String));
  expect(own.body).not.toHaveProperty("refresh_token");
  const wrong = `Basic ${Buffer.from("dockside-demo:wrong").toString("base64")}`;
  expect(await ask("token", { grant_type: "client_credentials" }, wrong)).toMatchObject({
    status: 401,
    body: refusedWith("250002"),
  });
});

test("an app's own token acts for the account in x-merchant-id", async () => {
  const own = async (merchant: string) => {
    const response = await fetch(`${ups.url}/security/v1/oauth/token`, {
      method: "POST",
      headers: { authorization: BASIC, "x-merchant-id": merchant },
      body: new URLSearchParams({ grant_type: "client_credentials" }),
    });
    return { status: response.status, body: (await response.json()) as Fields };
  };
  const token = (await own("1A2B3C")).body["access_token"] ?? "";
  const rated = await rate("v2409", token, "1A2B3C");
  expect(JSON.stringify(rated.body)).toContain("NegotiatedRateCharges");
  expect(JSON.stringify((await rate("v2409", token, "012345")).body)).toContain('"120900"');
  expect(await own("ZZZZZZ")).toMatchObject({ status: 403 });
});

test("the older first step names the sign-in page", async () => {
  const query = new URLSearchParams({ client_id: "dockside-demo", redirect_uri: CALLBACK });
  const answer = await fetch(`${ups.url}/security/v1/oauth/validate-client?${query}`);
  expect(await answer.json()).toEqual({
    result: "success",
    type: "ups_com_api",
    LassoRedirectURL: `${ups.url}/lasso/signin`,
  });
});

test("Shop rates every domestic service, with days in transit when asked", async () => {
  const token = (await exchange((await signIn()).get("code") ?? "")).body["access_token"] ?? "";
  const { body } = await rate("v2409", token, "1A2B3C", "Shop?additionalinfo=timeintransit");
  const rated = body.RateResponse.RatedShipment as { Service: { Code: string } }[];
  expect(rated.map(({ Service }) => Service.Code).sort()).toEqual(["01", "02", "03", "12", "13", "14", "59"]);
  expect(rated.find(({ Service }) => Service.Code === "01")).toMatchObject({
    TimeInTransit: { ServiceSummary: { EstimatedArrival: { BusinessDaysInTransit: "1" } } },
  });
});

async function rate(version: string, token: string, account: string, kind = "Rate") {
  const response = await fetch(`${ups.url}/api/rating/${version}/${kind}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({
      RateRequest: {
        Shipment: {
          Shipper: { ShipperNumber: account },
          ShipmentRatingOptions: { NegotiatedRatesIndicator: "Y" },
          Package: { PackageWeight: { Weight: "5" } },
        },
      },
    }),
  });
  return {
    status: response.status,
    body: (await response.json()) as { RateResponse: { RatedShipment: unknown } },
  };
}

test("a rate has negotiated prices for the login's own account, alert 120900 for another, and lists as its version has them", async () => {
  const token = (await exchange((await signIn()).get("code") ?? "")).body["access_token"] ?? "";
  const own = await rate("v2409", token, "1A2B3C");
  expect(own.body.RateResponse.RatedShipment).toEqual([
    expect.objectContaining({ NegotiatedRateCharges: expect.anything(), RatedShipmentAlert: [] }),
  ]);
  const others = await rate("v2409", token, "012345");
  expect(JSON.stringify(others.body)).toContain('"120900"');
  const older = await rate("v1801", token, "012345");
  expect(older.body.RateResponse.RatedShipment).toMatchObject({ RatedShipmentAlert: { Code: "120900" } });
  expect(await rate("v2409", token, "ZZZZZZ")).toMatchObject({ status: 400 });
  await control("tokens/expire", {});
  expect(await rate("v2409", token, "1A2B3C")).toMatchObject({ status: 401, body: refusedWith("250002") });
});

test("a code expires after five minutes of the simulated clock, a refresh token after 60 days", async () => {
  const late = (await signIn()).get("code") ?? "";
  await control("clock", { advanceMs: 6 * 60_000 });
  expect(await exchange(late)).toMatchObject({ status: 400 });
  const { body } = await exchange((await signIn()).get("code") ?? "");
  await control("clock", { advanceMs: 61 * 86_400_000 });
  expect(
    await ask("refresh", { grant_type: "refresh_token", refresh_token: body["refresh_token"] ?? "" }),
  ).toMatchObject({ status: 401 });
});

test("with a lost answer the work was done, with a foreign page it was not; the journal has both", async () => {
  const { last } = {
    last: (await control<{ entries: { seq: number }[] }>("journal")).entries.at(-1)?.seq ?? 0,
  };
  const code = (await signIn()).get("code") ?? "";
  await control("faults", { fault: "html_page", path: "/security/v1/oauth/token", times: 1, status: 403 });
  const form = { grant_type: "authorization_code", code, redirect_uri: CALLBACK };
  const options = { method: "POST", headers: { authorization: BASIC }, body: new URLSearchParams(form) };
  const page = await fetch(`${ups.url}/security/v1/oauth/token`, options);
  expect([page.status, page.headers.get("content-type")]).toEqual([403, "text/html"]);
  await control("faults", { fault: "drop_after", path: "/security/v1/oauth/token", times: 1 });
  await expect(fetch(`${ups.url}/security/v1/oauth/token`, options)).rejects.toThrow("fetch failed");
  expect(await exchange(code)).toMatchObject({ status: 400 });
  const { entries } = await control<{ entries: { path: string; status: number; fault: string | null }[] }>(
    `journal?since=${last}`,
  );
  expect(
    entries.filter(({ path }) => path.endsWith("/token")).map(({ status, fault }) => [status, fault]),
  ).toEqual([
    [403, "html_page"],
    [0, "drop_after"],
    [400, null],
  ]);
});
