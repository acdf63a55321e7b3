import { readBoot } from "#web/kit/boot.ts";
import { haveFacts, problem, renderApp, startServer, userEvent } from "#web/test-support.tsx";
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";

const server = await startServer();
haveFacts({
  product: "Quayside",
  demo: true,
  ediPartnerUrl: "https://edi.example/",
  simulators: { intuit: "http://127.0.0.1:4100/books" },
  priceNote: "Tracking Service costs $29.00 a month for each company.",
});

async function open() {
  server.on("GET /api/v1/user", problem(401, "Sign in."));
  renderApp();
  await screen.findByRole("heading", { level: 1 });
}

test("HM-01 HM-02 the landing page has its panels, and the first names the product", async () => {
  await open();
  expect(screen.getByRole("heading", { level: 1 }).textContent).toContain("Quayside");
  expect(screen.getByRole("region", { name: "What Quayside does" })).toBeTruthy();
  expect(screen.getByRole("region", { name: "Need EDI?" })).toBeTruthy();
});

test("HM-03 HM-04 HM-05 HM-06 three points, and a button to the Upload page", async () => {
  await open();
  const panel = within(screen.getByRole("region", { name: "What Quayside does" }));
  expect(panel.getAllByRole("listitem").map((point) => point.textContent)).toEqual([
    "Automatic tracking updates Tracking details land on your invoices as your carrier reports them.",
    "Proof of delivery attached When a delivery is complete, its proof is attached to the invoice.",
    "Free batch upload Use our spreadsheet template, or type and paste into the web form.",
  ]);
  expect(screen.getByRole("link", { name: "Get Started" }).getAttribute("href")).toBe("/app/");
});

test("the price of paid services is shown beside the free ones", async () => {
  await open();
  expect(screen.getByText(/^Batch upload is free/).textContent).toContain(
    "Tracking Service costs $29.00 a month for each company.",
  );
});

test("HM-07 HM-08 the EDI partner is linked in the same tab and marked as external", async () => {
  await open();
  const link = screen.getByRole("link", { name: /external/ });
  expect([link.getAttribute("href"), link.getAttribute("rel"), link.getAttribute("target")]).toEqual([
    "https://edi.example/",
    "noopener",
    null,
  ]);
});

test("HM-10 DM-01 in demo mode sample data is offered, with a notice that can be dismissed", async () => {
  await open();
  expect(screen.getByRole("region", { name: "Try it with sample data" })).toBeTruthy();
  expect(screen.getByText("Demo: simulated Intuit, UPS, and Stripe.")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Hide this notice" }));
  expect(screen.queryByText("Demo: simulated Intuit, UPS, and Stripe.")).toBeNull();
});

test("a shell's data is read field by field", () => {
  const page = document.implementation.createHTMLDocument();
  const shell = page.createElement("script");
  shell.id = "boot";
  shell.textContent = JSON.stringify({
    product: "Quayside",
    demo: true,
    edi_partner_url: "https://edi.example/",
    simulators: { intuit: "http://127.0.0.1:4100/books" },
    stripe: { script_url: "https://stripe.example/v3/", publishable_key: "pk_test_1" },
    sells_tracking: true,
    tracking_price: "$29.00 a month",
    price_note: "Tracking Service costs $29.00 a month for each company.",
  });
  page.body.append(shell);
  expect(readBoot(page)).toMatchObject({
    product: "Quayside",
    demo: true,
    ediPartnerUrl: "https://edi.example/",
    simulators: { intuit: "http://127.0.0.1:4100/books" },
    stripe: { scriptUrl: "https://stripe.example/v3/", publishableKey: "pk_test_1" },
    sellsTracking: true,
    trackingPrice: "$29.00 a month",
    priceNote: "Tracking Service costs $29.00 a month for each company.",
  });
});

test("a shell without data, or with mistyped data, gives the defaults", () => {
  const page = document.implementation.createHTMLDocument();
  const defaults = {
    product: "Dockside",
    retailer: "Retailer",
    sellsTracking: false,
    demo: false,
    mail: false,
    ediPartnerUrl: null,
    addInLink: true,
    simulators: null,
    release: "development",
    dsn: null,
    stripe: null,
    trackingPrice: null,
    priceNote: null,
    recorder: null,
    logRocket: null,
  };
  expect(readBoot(page)).toEqual(defaults);
  page.body.innerHTML =
    '<script type="application/json" id="boot">{"product":7,"demo":"yes","simulators":3}</script>';
  expect(readBoot(page)).toEqual(defaults);
});
