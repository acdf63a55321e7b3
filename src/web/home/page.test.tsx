import { expect, test } from "vitest";

// The shell's data is read once, when the page starts: it has to be there before the page is loaded.
const shell = document.createElement("script");
shell.type = "application/json";
shell.id = "boot";
shell.textContent = JSON.stringify({
  product: "Quayside",
  demo: true,
  edi_partner_url: "https://edi.example/",
  simulators: { intuit: "http://127.0.0.1:4100/books" },
  price_note: "Tracking Service costs $29.00 a month for each company.",
});
document.head.append(shell);
const { problem, renderApp, startServer } = await import("#web/test-support.tsx");
const { readBoot } = await import("#web/kit/boot.ts");
const { screen, within } = await import("@testing-library/react");
const { userEvent } = await import("@testing-library/user-event");
const server = await startServer();

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
  expect(screen.getByText("Demo: simulated Intuit, UPS and Stripe.")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Hide this notice" }));
  expect(screen.queryByText("Demo: simulated Intuit, UPS and Stripe.")).toBeNull();
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
