import OAuthClient from "intuit-oauth";
import { afterAll, expect, test } from "vitest";
import { ACME, CALLBACK, OLIVE, startTestIntuit } from "./test-kit.ts";

const INTUIT_ISSUER = "https://oauth.platform.intuit.com/op/v1";
const intuit = await startTestIntuit({ issuer: INTUIT_ISSUER });
afterAll(() => intuit.close());

function createClient() {
  const client = new OAuthClient({
    clientId: "dockside-demo",
    clientSecret: "dockside-demo-secret",
    environment: "sandbox",
    redirectUri: CALLBACK,
  });
  client.setAuthorizeURLs({
    authorizeEndpoint: `${intuit.url}/connect/oauth2`,
    tokenEndpoint: `${intuit.url}/oauth2/v1/tokens/bearer`,
    revokeEndpoint: `${intuit.url}/v2/oauth2/tokens/revoke`,
    userInfoEndpoint: `${intuit.url}/v1/openid_connect/userinfo`,
  });
  OAuthClient.jwks_uri = `${intuit.url}/op/v1/jwks`;
  OAuthClient.environment.sandbox = `${intuit.url}/`;
  return client;
}

async function connected() {
  const client = createClient();
  const code = await intuit.code();
  await client.createToken(`${CALLBACK}?code=${code}&state=s&realmId=${ACME}`);
  return client;
}

test("intuit-oauth builds an authorize address the consent page accepts", async () => {
  const uri = createClient().authorizeUri({
    scope: [OAuthClient.scopes.Accounting, OAuthClient.scopes.OpenId],
    state: "s",
  });
  const answer = await fetch(uri);
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain("Choose who you are");
});

test("intuit-oauth gets tokens, validates the id_token and reads the user", async () => {
  const client = await connected();
  expect(client.getToken()).toMatchObject({ token_type: "bearer", expires_in: 3600, realmId: ACME });
  expect(await client.validateIdToken()).toBeTruthy();
  expect((await client.getUserInfo()).json).toMatchObject({
    sub: OLIVE,
    email: "owner@acme.example",
    emailVerified: true,
  });
});

test("intuit-oauth calls the Accounting API and sees the tid", async () => {
  const client = await connected();
  const answer = await client.makeApiCall({ url: `v3/company/${ACME}/companyinfo/${ACME}?minorversion=75` });
  expect(answer.json).toMatchObject({ CompanyInfo: { Id: "1", CompanyName: "Acme Tools", Country: "US" } });
  expect(String(answer.headers["intuit_tid"])).toMatch(/^1-/);
});

test("intuit-oauth refreshes, and a token it lost to rotation is refused", async () => {
  await intuit.control("PATCH", "settings", { rotation: "every-time" });
  const client = await connected();
  const first = client.getToken().refresh_token;
  await client.refresh();
  expect(client.getToken().refresh_token).not.toBe(first);
  await expect(client.refreshUsingToken(String(first))).rejects.toThrow(/invalid/i);
  await intuit.control("PATCH", "settings", { rotation: "sticky24h" });
});

test("intuit-oauth revokes, after which neither token works", async () => {
  const client = await connected();
  const { refresh_token: refresh } = client.getToken();
  expect((await client.revoke({ refresh_token: String(refresh) })).response.status).toBe(200);
  await expect(client.refreshUsingToken(String(refresh))).rejects.toThrow();
});
