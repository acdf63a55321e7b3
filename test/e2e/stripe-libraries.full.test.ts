import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { driveStripe } from "../support/stripe.ts";
import { expect, test } from "./product.ts";
import { buildPayingPage, type Pair } from "./support/paying/build.ts";
import { endAll, fillCard, watch } from "./support/payments.ts";

/** One product for both tests; each works in the state that it makes. */
test.describe.configure({ mode: "serial" });

/** The pair of the product, which names the API version in the page, and the newest, whose script brings its own. */
const PAIRS: (Pair & { script: string; apiVersion: string | null })[] = [
  {
    stripeJs: "@stripe/stripe-js",
    reactStripeJs: "@stripe/react-stripe-js",
    script: "/v3/",
    apiVersion: "2023-10-16",
  },
  {
    stripeJs: "stripe-js-newest",
    reactStripeJs: "react-stripe-js-newest",
    script: "/endive/stripe.js",
    apiVersion: null,
  },
];

for (const { stripeJs, reactStripeJs, script, apiVersion } of PAIRS)
  test(`PY-06 PY-07 PY-08 Stripe's own ${stripeJs} and ${reactStripeJs} pay through the simulated Stripe.js, under the product's content security policy and with one subscription even if each effect runs twice`, async ({
    openAs,
    product,
  }) => {
    const code = await buildPayingPage({ stripeJs, reactStripeJs });
    for (const name of [stripeJs, reactStripeJs]) expect(code).toContain(`"${readVersion(name)}"`);
    const page = await openAs("owner");
    const { origins, calls } = watch(page);
    const said = page.getByRole("alert");
    const pay = page.getByRole("button", { name: "Pay" });
    const bank = page.frameLocator('iframe[title="3D Secure challenge frame"]');
    const warnings = noteWarnings(page);
    const versions = noteVersions(page);
    const open = await servePage(page, product.url, code);
    const address = `${product.stripeUrl}${script}`;
    const version: Record<string, string> = apiVersion ? { version: apiVersion } : {};

    await open({ insert: address, ...version });
    await pay.click();
    await expect(said).toHaveText("validation_error incomplete_number Your card number is incomplete.");
    await fillCard(page, "4000000000009995");
    await pay.click();
    await expect(said).toHaveText(
      "card_error card_declined insufficient_funds Your card has insufficient funds.",
    );
    await fillCard(page, "4000002760003184");
    await pay.click();
    await bank.getByRole("button", { name: "Fail authentication" }).click();
    await expect(said).toContainText("invalid_request_error payment_intent_authentication_failure");
    await fillCard(page, "4242424242424242");
    const back = await activeAfter(page, () => pay.click());
    expect(back).toMatchObject({ redirect_status: "succeeded" });
    const made = await driveStripe(product.stripeUrl).objects("subscription");
    expect(
      made.filter(({ status }) => !["canceled", "incomplete_expired"].includes(String(status))),
    ).toMatchObject([{ id: back["subscription_id"], status: "active" }]);
    expect(calls.filter((call) => call.endsWith("/payment-intent"))).toHaveLength(2);
    await endAll(product.stripeUrl);

    await open({ ...version }, address);
    await fillCard(page, "4000002760003184");
    await pay.click();
    await activeAfter(page, () => bank.getByRole("button", { name: "Complete authentication" }).click());
    await endAll(product.stripeUrl);
    expect(new Set(versions)).toEqual(new Set([apiVersion]));
    expect([...origins].sort()).toEqual([product.url, product.stripeUrl].sort());
    expect(warnings).toEqual([]);

    if (!apiVersion) {
      await open({ insert: address, version: "2023-10-16" });
      await expect(said).toContainText("VersionError");
    }
    // The library would load Stripe's own script, which the policy blocks.
    await open({ ...version });
    await expect(said).toHaveText("Error: Failed to load Stripe.js");
    await endAll(product.stripeUrl);
  });

const readVersion = (name: string): string =>
  (JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8")) as { version: string }).version;

/** Serves the page as one of the product's own, with its content security policy. @returns opens it */
async function servePage(page: Page, url: string, code: string) {
  const policy = (await page.request.get("/settings/")).headers()["content-security-policy"] ?? "";
  expect(policy).toContain("default-src 'none'; script-src 'self' http");
  // An answer given by a test has no origin address for the browser, which keeps such pages from local ports.
  await page.context().grantPermissions(["local-network-access"]);
  await page.route(`${url}/paying.js`, (route) =>
    route.fulfill({ contentType: "text/javascript", body: code }),
  );
  return async (query: Record<string, string>, before?: string): Promise<void> => {
    const script = before ? `<script src="${before}"></script>` : "";
    await page.route(`${url}/paying?*`, (route) =>
      route.fulfill({
        contentType: "text/html",
        headers: { "content-security-policy": policy },
        body: `<!doctype html><title>Paying</title>${script}<div id="root"></div>
          <script type="module" src="/paying.js"></script>`,
      }),
    );
    await page.goto(`/paying?${new URLSearchParams(query)}`);
  };
}

/** Pays, and waits until the product's own page has activated what was paid. @returns the result of Stripe.js */
async function activeAfter(page: Page, act: () => Promise<void>): Promise<Record<string, string>> {
  const returned = page.waitForRequest((request) => request.url().includes("/payment-completion?"));
  await act();
  await expect(page.getByText("Tracking Service is active.")).toBeVisible();
  return Object.fromEntries(new URL((await returned).url()).searchParams);
}

/** Warnings of the libraries: a prop, a version that does not fit, a policy. */
function noteWarnings(page: Page): string[] {
  const warnings: string[] = [];
  page.on("pageerror", (error) => warnings.push(String(error)));
  page.on("console", (message) => {
    // The browser itself notes the answer to a declined card.
    const isDecline = message.text().includes("status of 402");
    if (["warning", "error"].includes(message.type()) && !isDecline) warnings.push(message.text());
  });
  return warnings;
}

/** The API version of each call that the browser makes to Stripe. */
function noteVersions(page: Page): (string | null)[] {
  const versions: (string | null)[] = [];
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (!/^\/v1\/payment_intents\/\w+\/confirm$/.test(pathname)) return;
    const fields = new URLSearchParams(request.postData() ?? "");
    versions.push(fields.get("_stripe_version") ?? searchParams.get("_stripe_version"));
  });
  return versions;
}
