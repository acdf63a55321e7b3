import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import * as billing from "#features/billing/contract.ts";
import type { StartedPayment } from "#features/billing/contract.ts";
import { createBrowser, type Browser } from "../support/browser.ts";
import { ACME, driveIntuit, NEWCOMER } from "../support/intuit.ts";
import { createInstance, removeInstance, runProduct } from "../support/run-product.ts";
import { driveStripe } from "../support/stripe.ts";
import { settledUploads, uploadRows } from "../support/uploads.ts";

const CUSTOMER = "Zebedee & Daughters Ltd";
const NUMBER = "SECRET-4711";

const rows = [
  {
    "Invoice No": NUMBER,
    Customer: CUSTOMER,
    "Invoice Date": "2026-11-02",
    Item: "Claw Hammer",
    Qty: 2,
    Rate: 19.95,
    Amount: 39.9,
  },
  {
    "Invoice No": `${NUMBER}-B`,
    Customer: "Nobody Known Here",
    Item: "Claw Hammer",
    Qty: 1,
    Rate: 1,
    Amount: 1,
  },
];

test("no token, code, cookie, secret or customer name is in the most verbose log of a complete journey", async () => {
  const place = await createInstance();
  const secrets = new Map<string, string>();
  const product = await runProduct(place, { LOG_LEVEL: "debug", DATABASE_URL: "" });
  try {
    const intuit = driveIntuit(product.intuitUrl);
    const browser = createBrowser(product.url, intuit);
    const keepCookies = () => {
      for (const [name, value] of browser.cookies) secrets.set(`${name} ${value}`, value);
    };
    await intuit.control(`books/${ACME}/Customer`, { DisplayName: CUSTOMER });
    const authorization = new URL((await browser.request("/login/?next=/app/")).location ?? "");
    secrets.set("state", authorization.searchParams.get("state") ?? "");
    await browser.request("/oauth/intuit/callback?code=code-of-nobody&state=state-of-nobody&realmId=1");
    await browser.request(
      `/oauth/intuit/callback?${new URLSearchParams({ code: "stale-code", state: authorization.searchParams.get("state") ?? "" })}`,
    );
    await browser.signIn("owner@acme.example");
    keepCookies();
    await createBrowser(product.url, intuit).request("/api/v1/user", {
      headers: { cookie: "dockside_session=cookie-of-nobody" },
    });
    await intuit.control("faults", [
      { fault: "expired_token", match: { operation: "invoice.create" }, count: 1 },
      { fault: "committed_answer_lost", match: { operation: "invoice.create" }, count: 1 },
    ]);
    expect((await uploadRows(browser, ACME, rows)).status).toBe(202);
    const list = await settledUploads(browser, ACME);
    expect(list.uploads[0]?.counts).toMatchObject({ completed: 1, problems: 1 });
    const newcomer = createBrowser(product.url, intuit);
    await newcomer.signIn("new@newcomer.example");
    expect(await newcomer.connect("new@newcomer.example", NEWCOMER)).toContain("connected");
    await intuit.control("tokens/revoke", { realmId: ACME });
    await uploadRows(browser, ACME, [{ ...rows[0], "Invoice No": `${NUMBER}-C` }]);
    await settledUploads(browser, ACME);
    keepCookies();
    for (const [name, value] of await payOnce(browser, product.stripeUrl)) secrets.set(name, value);
    await browser.request("/logout/");
  } finally {
    await product.stop();
  }
  const output = product.output();
  for (const [name, secret] of await readTokens(place.folder)) secrets.set(name, secret);
  await removeInstance(place);
  for (const path of [
    "/oauth/intuit/callback",
    "/oauth2/v1/tokens/bearer",
    "/api/v1/invoices",
    "/api/v1/stripe/payment-intent",
    "/v1/subscriptions",
    "/stripe/webhook",
    "/logout/",
  ])
    expect(output, path).toContain(path);
  expect(secrets.size).toBeGreaterThan(12);
  for (const [name, secret] of secrets) expect(output.includes(secret), name).toBe(false);
  for (const text of ["code-of-nobody", "state-of-nobody", "stale-code", "cookie-of-nobody"])
    expect(output).not.toContain(text);
  for (const text of [CUSTOMER, "Zebedee", "Nobody Known", NUMBER, "dockside-demo-secret"])
    expect(output).not.toContain(text);
  expect(output).not.toContain(Buffer.from("dockside-demo:dockside-demo-secret").toString("base64"));
  expect(output).not.toMatch(/RT1-|eyJ[\w-]{8}|Bearer |Basic [A-Za-z\d]|\?code=|[?&]state=/);
});

/** Starts, loses, makes and activates a payment, and opens the portal. @returns what must stay secret of it */
async function payOnce(browser: Browser, stripeUrl: string): Promise<[string, string][]> {
  const stripe = driveStripe(stripeUrl);
  const about = { query: { realm_id: NEWCOMER } };
  await browser.signIn("new@newcomer.example");
  const subscriptions = (await browser.call(billing.listSubscriptions, about)).json() as {
    price_id: string;
  }[];
  const json = { price_id: subscriptions[0]?.price_id };
  await stripe.control("faults", { fault: "drop_after", path: "/v1/subscriptions", times: 4 });
  await browser.call(billing.startPayment, { ...about, json });
  await stripe.control("faults", undefined, "DELETE");
  const started = (await browser.call(billing.startPayment, { ...about, json })).json() as StartedPayment;
  const secret = started.client_secret ?? "";
  await stripe.api(`payment_intents/${secret.split("_secret_")[0]}/confirm`, {
    payment_method: "pm_card_visa",
  });
  await browser.request(
    `/payment-completion?${new URLSearchParams({ subscription_id: "x", payment_intent_client_secret: secret })}`,
  );
  await browser.call(billing.activateSubscription, {
    ...about,
    json: { subscription_id: started.subscription_id },
  });
  const portal = (await browser.call(billing.openPortal, about)).json() as { redirect: string };
  expect((await fetch(portal.redirect)).status).toBe(200);
  return [
    ["client secret", secret],
    ["portal", new URL(portal.redirect).pathname],
    ["secret key", "sk_test_dockside"],
    ["webhook secret", "whsec_dockside"],
  ];
}

/** Every token and code the simulated Intuit gave out, and the product's own sealing key. */
async function readTokens(folder: string): Promise<[string, string][]> {
  const state = new DatabaseSync(join(folder, "simulators/intuit.sqlite"), { readOnly: true });
  const tables = ["access_token", "refresh_token", "code"];
  const found = tables.flatMap((table) =>
    state
      .prepare(`SELECT * FROM ${table}`)
      .all()
      .map((row, index): [string, string] => [`${table} ${index}`, String(row["token"] ?? row["code"])]),
  );
  state.close();
  const key = (await readFile(join(folder, "sealing-keys"), "utf8")).trim().split(":")[1] ?? "";
  return [...found, ["sealing key", key]];
}
