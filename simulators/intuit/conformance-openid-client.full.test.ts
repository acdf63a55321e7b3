import * as client from "openid-client";
import { afterAll, expect, test } from "vitest";
import { ACME, CALLBACK, OLIVE, startTestIntuit } from "./test-kit.ts";

const intuit = await startTestIntuit();
afterAll(() => intuit.close());

const discover = () =>
  client.discovery(
    new URL(`${intuit.url}/.well-known/openid_configuration`),
    "dockside-demo",
    {},
    client.ClientSecretBasic("dockside-demo-secret"),
    { execute: [client.allowInsecureRequests] },
  );

/** Walks the consent pages as a browser without script does: the user, then the company and the decision. */
async function consent(authorizeUrl: URL, choice: Record<string, string>): Promise<URL> {
  const first = await (await fetch(authorizeUrl)).text();
  expect(first).toContain("Olive Owner");
  const second = new URL(authorizeUrl);
  second.searchParams.set("sim_user", OLIVE);
  expect(await (await fetch(second)).text()).toContain('value="allow"');
  const form = new URLSearchParams([
    ...authorizeUrl.searchParams,
    ["sim_user", OLIVE],
    ...Object.entries(choice),
  ]);
  const answer = await fetch(`${intuit.url}/connect/oauth2`, {
    method: "POST",
    body: form,
    redirect: "manual",
  });
  expect(answer.status).toBe(302);
  return new URL(answer.headers.get("location") ?? "");
}

test("openid-client signs in through the consent page, checks the id_token and reads the user", async () => {
  const config = await discover();
  const scope = "openid profile email com.intuit.quickbooks.accounting";
  const authorizeUrl = client.buildAuthorizationUrl(config, {
    redirect_uri: CALLBACK,
    scope,
    state: "state-1",
  });
  const callback = await consent(authorizeUrl, { sim_realm: ACME, decision: "allow" });
  expect(callback.searchParams.get("realmId")).toBe(ACME);
  const tokens = await client.authorizationCodeGrant(config, callback, {
    expectedState: "state-1",
    idTokenExpected: true,
  });
  expect(tokens.claims()).toMatchObject({
    sub: OLIVE,
    aud: ["dockside-demo"],
    realmid: ACME,
    iss: `${intuit.url}/op/v1`,
  });
  expect(tokens).toMatchObject({
    token_type: "bearer",
    expires_in: 3600,
    x_refresh_token_expires_in: 8_640_000,
  });
  const who = await client.fetchUserInfo(config, tokens.access_token, OLIVE);
  expect(who).toEqual({
    sub: OLIVE,
    givenName: "Olive",
    familyName: "Owner",
    email: "owner@acme.example",
    emailVerified: true,
  });
  const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? "");
  expect(refreshed.access_token).not.toBe(tokens.access_token);
  await client.tokenRevocation(config, tokens.refresh_token ?? "");
  await expect(client.refreshTokenGrant(config, tokens.refresh_token ?? "")).rejects.toMatchObject({
    error: "invalid_grant",
  });
});

test("signing in without the accounting scope returns no realmId, in the callback and in the id_token", async () => {
  const config = await discover();
  const authorizeUrl = client.buildAuthorizationUrl(config, {
    redirect_uri: CALLBACK,
    scope: "openid email",
    state: "s",
  });
  const callback = await consent(authorizeUrl, { decision: "allow" });
  expect([...callback.searchParams.keys()].toSorted()).toEqual(["code", "state"]);
  const tokens = await client.authorizationCodeGrant(config, callback, {
    expectedState: "s",
    idTokenExpected: true,
  });
  expect(tokens.claims()).not.toHaveProperty("realmid");
});

test("refusing consent redirects with access_denied and the state", async () => {
  const config = await discover();
  const authorizeUrl = client.buildAuthorizationUrl(config, {
    redirect_uri: CALLBACK,
    scope: "openid",
    state: "s2",
  });
  const callback = await consent(authorizeUrl, { decision: "refuse" });
  expect(Object.fromEntries(callback.searchParams)).toEqual({ error: "access_denied", state: "s2" });
  await expect(
    client.authorizationCodeGrant(config, callback, { expectedState: "s2" }),
  ).rejects.toMatchObject({
    error: "access_denied",
  });
});

test("a client that sends a nonce gets it back in the id_token", async () => {
  const config = await discover();
  const authorizeUrl = client.buildAuthorizationUrl(config, {
    redirect_uri: CALLBACK,
    scope: "openid",
    state: "s",
    nonce: "n-1",
  });
  const callback = await consent(authorizeUrl, { decision: "allow" });
  const tokens = await client.authorizationCodeGrant(config, callback, {
    expectedState: "s",
    expectedNonce: "n-1",
  });
  expect(tokens.claims()?.nonce).toBe("n-1");
});
