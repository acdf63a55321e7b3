import type { StartedPayment, SubscriptionRow } from "#features/billing/contract.ts";
import { type Confirmed, serveStripe, stripe } from "#features/billing/web/fixtures/stripe.ts";
import {
  acme,
  owner,
  problem,
  renderPage,
  settingsOfAcme,
  startServer,
  userEvent,
} from "#web/test-support.tsx";
import { cleanup, fireEvent, screen, within } from "@testing-library/react";
import { beforeEach, expect, onTestFinished, test } from "vitest";

const server = await startServer();
serveStripe();

const none: SubscriptionRow = {
  subscription_id: null,
  price_id: "price_1",
  product_name: "Tracking Service",
  product_description: "Tracking and proof of delivery",
  rate: 4900,
  interval: "month",
  service: "tracking",
  status: "none",
  end_date: null,
  grace_ends: null,
  is_for_sale: true,
  trial_days: 14,
};
const active: SubscriptionRow = { ...none, subscription_id: "sub_1", status: "active", trial_days: 0 };
const SECRET = "pi_1_secret_2";
const started: StartedPayment = {
  ...none,
  subscription_id: "sub_1",
  status: "incomplete",
  client_secret: SECRET,
};

beforeEach(() => {
  server.on("GET /api/v1/user", { json: owner({ companies: [acme] }) });
  server.on("GET /api/v1/company", {
    json: { companies: [{ ...acme, services: [], connection: "connected" }] },
  });
});

const list = (...subscriptions: SubscriptionRow[]) => ({
  json: subscriptions,
});
const settings = (...rows: SubscriptionRow[]) => {
  server.on("GET /api/v1/stripe/subscriptions", list(...rows));
  server.visit("/settings/");
  renderPage();
};
const button = (name: string) => screen.findByRole("button", { name });
const findRow = (name: string) =>
  within(screen.getAllByRole("listitem").find(({ textContent }) => textContent?.startsWith(name))!);
const calls = (path: string) => server.requests.filter(({ url }) => url.pathname.endsWith(path));

/** Holds an answer until the test lets it go. */
function held() {
  const { promise, resolve } = Promise.withResolvers<void>();
  onTestFinished(() => resolve());
  return { wait: promise, goOn: resolve };
}

async function pay(answer: () => Promise<Confirmed>) {
  stripe.confirm = answer;
  await userEvent.click(await button("Pay $49.00"));
}
const fails = (error: Confirmed["error"]) => () => Promise.resolve({ error });
const message = () => screen.findByRole("alert", { name: "Message from Stripe" });

test("SV-01 SV-02 SV-03 SV-05 SV-08 QC-16 AP-29 VA-08 ER-12 a subscribed service shows its price in dollars and Manage, which requests the portal and follows only real addresses", async () => {
  server.on("GET /api/v1/stripe/billing", { json: { redirect: "javascript:alert(1)" } });
  settings(active);
  await userEvent.click(await button("Manage Tracking Service"));
  expect(await screen.findByText("Invalid response from server")).toBeTruthy();
  expect(findRow("Tracking Service").getByText("$49.00").parentElement?.textContent).toBe("$49.00 / month");
  expect(findRow("Tracking Service").getByText("Tracking and proof of delivery")).toBeTruthy();
  expect(findRow("Tracking Service").getAllByRole("button")).toHaveLength(1);
  for (const path of ["/stripe/subscriptions", "/stripe/billing"])
    expect(calls(path)[0]?.url.searchParams.get("realm_id")).toBe("1");
});

test("SV-10 the list of services shows a spinner while it loads, says that there are none, or why it can't be read", async () => {
  const { wait, goOn } = held();
  server.on("GET /api/v1/stripe/subscriptions", { ...problem(400, "Nothing could be read."), wait });
  server.visit("/settings/");
  renderPage();
  expect(await screen.findByRole("progressbar", { name: "Loading the services" })).toBeTruthy();
  goOn();
  expect(await screen.findByText("Nothing could be read.")).toBeTruthy();
  expect(screen.queryByText("No services are offered yet.")).toBeNull();
  server.on("GET /api/v1/stripe/subscriptions", list());
  await userEvent.click(await button("Try again"));
  expect(await screen.findByText("No services are offered yet.")).toBeTruthy();
});

test("SV-07 PY-01 PY-02 PY-05 PY-06 PY-07 PY-08 PY-09 PY-10 ER-06 Add opens Stripe's form once it has the secret and no sooner, and a failed payment says why", async () => {
  const { wait, goOn } = held();
  server.on("POST /api/v1/stripe/payment-intent", { json: started, wait });
  settings(none);
  await userEvent.click(await button("Add Tracking Service"));
  await expect.poll(() => calls("/payment-intent")).toHaveLength(1);
  expect(screen.queryByRole("form", { name: "Payment for Tracking Service" })).toBeNull();
  const [{ body, url } = { body: "", url: new URL("http://test") }] = calls("/payment-intent");
  expect(url.searchParams.get("realm_id")).toBe("1");
  const { product_name: _name, ...fields } = none;
  expect(JSON.parse(body)).toEqual(fields);
  goOn();
  expect(await screen.findByText("Card fields of Stripe")).toBeTruthy();
  expect(stripe.opened).toEqual([["pk_test_1", { apiVersion: "2023-10-16" }]]);
  await pay(fails({ type: "card_error", message: "Your card has insufficient funds." }));
  expect((await message()).textContent).toContain("Your card has insufficient funds.");
  await pay(fails({ type: "validation_error", message: "Your card number is incomplete." }));
  expect((await message()).textContent).toContain("Your card number is incomplete.");
  for (const type of ["invalid_request_error", "api_connection_error", "api_error", "card_error"]) {
    await pay(fails({ type, ...(type === "card_error" ? {} : { message: "No words for users." }) }));
    expect((await message()).textContent).toBe("Message from StripeAn unexpected error occurred.");
  }
  await pay(() => Promise.reject(new Error("Lost.")));
  expect((await message()).textContent).toContain("An unexpected error occurred.");
  const address = new URL(stripe.confirmed[0]!.confirmParams.return_url);
  expect(address.href).toBe(`${window.location.origin}/payment-completion?subscription_id=sub_1`);
});

test("PY-11 PY-12 a payment in progress can't be made again or canceled, and after it fails Cancel closes the form", async () => {
  server.on("POST /api/v1/stripe/payment-intent", { json: started });
  settings(none);
  await userEvent.click(await button("Add Tracking Service"));
  const { promise, resolve } = Promise.withResolvers<Confirmed>();
  await pay(() => promise);
  const cancel = await button("Cancel");
  expect(cancel).toHaveProperty("disabled", true);
  await userEvent.click(await button("Pay $49.00"));
  expect(stripe.confirmed).toHaveLength(1);
  resolve({ error: { type: "card_error", message: "Your card was declined." } });
  await message();
  await userEvent.click(cancel);
  await expect.poll(() => screen.queryByText("Card fields of Stripe")).toBeNull();
  expect(stripe.confirmed).toHaveLength(1);
  expect(await button("Add Tracking Service")).toBeTruthy();
});

test("PY-03 PY-04 what needs no payment is added with a message, and its OK reloads the services and the user", async () => {
  server.on("POST /api/v1/stripe/payment-intent", {
    json: { ...started, status: "paid", client_secret: null, end_date: Date.UTC(2026, 11, 9, 12) / 1000 },
  });
  settings(none);
  await userEvent.click(await button("Try free for 14 days"));
  const ok = await button("OK");
  expect(findRow("Tracking Service").getByText("Tracking Service added!")).toBeTruthy();
  expect(
    findRow("Tracking Service").getByText(
      /^Your free trial runs through .*2026\. We won't charge you unless you add a card\.$/,
    ),
  ).toBeTruthy();
  expect(screen.queryByText("Card fields of Stripe")).toBeNull();
  expect(JSON.parse(calls("/payment-intent")[0]!.body)).toMatchObject({ trial: true });
  server.on("GET /api/v1/stripe/subscriptions", list({ ...active, status: "trialing" }));
  const before = calls("/api/v1/user").length;
  await userEvent.click(ok);
  expect(await button("Manage Tracking Service")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "OK" })).toBeNull();
  expect(calls("/api/v1/user").length).toBeGreaterThan(before);
});

test("a service that is coming soon has no button", async () => {
  settings({ ...none, is_for_sale: false });
  expect(await screen.findByText("Coming soon")).toBeTruthy();
  expect(findRow("Tracking Service").queryByRole("button")).toBeNull();
});

test("the free trial is the primary button and says what follows; Add says what is due", async () => {
  settings(none);
  await button("Try free for 14 days");
  const row = findRow("Tracking Service");
  expect(row.getByText(/^then \$49\.00 a month from \w{3} \d+, \d{4}$/)).toBeTruthy();
  expect(row.getByText("$49.00 due today")).toBeTruthy();
  expect(row.getAllByRole("button").map(({ textContent }) => textContent.replaceAll("\u00A0", " "))).toEqual([
    "Try free for 14 days",
    "Add Tracking Service",
  ]);
});

test("PY-13 a payment that can't be started says why in its row", async () => {
  server.on("POST /api/v1/stripe/payment-intent", problem(503, "Stripe did not answer."));
  settings(none);
  await userEvent.click(await button("Add Tracking Service"));
  expect(await findRow("Tracking Service").findByText("Stripe did not answer.")).toBeTruthy();
});

test.each(["succeeded", "processing"])(
  "a payment whose answer was lost is not requested again when it is %s: it is activated as soon as it succeeds",
  async (status) => {
    server.on("POST /api/v1/stripe/payment-intent", { json: started });
    server.on("POST /api/v1/stripe/activate", { json: active });
    settings(none);
    await userEvent.click(await button("Add Tracking Service"));
    await button("Pay $49.00");
    stripe.status = status;
    await pay(fails({ type: "api_connection_error", message: "We are experiencing issues." }));
    if (status === "processing") {
      expect(await screen.findByText('Payment status is "processing".')).toBeTruthy();
      expect(calls("/activate")).toEqual([]);
      return;
    }
    expect(await screen.findByText("Tracking Service is active.")).toBeTruthy();
    expect(JSON.parse(calls("/activate")[0]!.body)).toMatchObject({ subscription_id: "sub_1" });
  },
);

test("a service that was paid for is called active in its company only", async () => {
  const beta = { ...acme, id: "2", name: "Beta Supply" };
  const companies = [acme, beta].map((each) => ({ ...each, services: [], connection: "connected" }));
  server.on("GET /api/v1/user", { json: owner({ companies: [acme, beta] }) });
  server.on("GET /api/v1/company", { json: { companies } });
  server.on("POST /api/v1/stripe/payment-intent", { json: started });
  server.on("POST /api/v1/stripe/activate", { json: active });
  settings(none);
  await userEvent.click(await button("Add Tracking Service"));
  await button("Pay $49.00");
  stripe.status = "succeeded";
  await pay(fails({ type: "api_connection_error", message: "We are experiencing issues." }));
  expect(await screen.findByText("Tracking Service is active.")).toBeTruthy();
  await userEvent.click(screen.getByRole("radio", { name: "Beta Supply" }));
  expect(await button("Add Tracking Service")).toBeTruthy();
  expect(screen.queryByText("Tracking Service is active.")).toBeNull();
});

test("a service past its grace period says that it is off, not until when it is on", async () => {
  settings({ ...active, status: "past_due" });
  expect(await button("Fix payment Tracking Service")).toBeTruthy();
  expect(
    findRow("Tracking Service").getByText(/^Tracking Service is off because its renewal wasn't paid\./),
  ).toBeTruthy();
});

test("an admin who doesn't pay reads at an unpaid service what they can do, and has no button that only its payer could use", async () => {
  server.on("GET /api/v1/stripe/payer", { json: { payer: "payer@acme.example", is_payer: false } });
  settings({ ...active, status: "past_due" });
  expect(
    await screen.findByText(
      /Ask its payer to change the card, or take over billing and add it again, to turn it on\.$/,
    ),
  ).toBeTruthy();
  expect(screen.queryByRole("button", { name: /^Fix payment/ })).toBeNull();
});

test("TK-15 SV-03 the offer says that a UPS account is needed, only where the service can be added", async () => {
  settings(none);
  expect(await button("Add Tracking Service")).toBeTruthy();
  expect(findRow("Tracking Service").getByText("Needs your company's UPS account.")).toBeTruthy();
  cleanup();
  settings(active);
  expect(await button("Manage Tracking Service")).toBeTruthy();
  expect(findRow("Tracking Service").queryByText("Needs your company's UPS account.")).toBeNull();
});

test("TK-15 a trial that has started leads to what has to be set up", async () => {
  server.on("POST /api/v1/stripe/payment-intent", {
    json: { ...started, status: "trialing", client_secret: null, end_date: 1_797_811_200 },
  });
  settings(none);
  await userEvent.click(await button("Try free for 14 days"));
  const link = await screen.findByRole("link", { name: "Set it up" });
  expect(link.getAttribute("href")).toBe("/settings/?section=tracking");
});

test("choices of proofs change at once, each is saved, and a choice that can't be saved returns with its reason", async () => {
  const paid = { ...started, status: "trialing", client_secret: null, end_date: 1_797_811_200 };
  server.on("POST /api/v1/stripe/payment-intent", { json: paid });
  const { wait, goOn } = held();
  server.on("PUT /api/v1/company", { ...problem(503, "The settings weren't saved."), wait });
  server.on("GET /api/v1/company", {
    json: {
      companies: [
        {
          ...acme,
          connection: "connected",
          services: [],
          settings: { ...settingsOfAcme, attach_pods: "true" },
        },
      ],
    },
  });
  settings(none);
  await userEvent.click(await button("Try free for 14 days"));
  const find = (name: string) => screen.findByRole<HTMLInputElement>("checkbox", { name });
  const isSent = await find("Send the proof with the invoice");
  fireEvent.click(isSent);
  expect(isSent.checked).toBe(true);
  const isAttached = await find("Attach proofs of delivery to invoices");
  fireEvent.click(isAttached);
  expect([isAttached.checked, isSent.checked]).toEqual([false, false]);
  fireEvent.click(isAttached);
  expect([isAttached.checked, isSent.checked]).toEqual([true, true]);
  server.on("PUT /api/v1/company", problem(503, "The settings weren't saved."));
  goOn();
  expect(await screen.findByText("The settings weren't saved.")).toBeTruthy();
  expect([isAttached.checked, isSent.checked]).toEqual([true, false]);
  await expect
    .poll(() =>
      server.requests.filter(({ method }) => method === "PUT").map(({ body }) => JSON.parse(body) as unknown),
    )
    .toEqual([{ pods_on_send: "true" }, { attach_pods: "false" }, { attach_pods: "true" }]);
});
