import * as tracking from "#features/tracking/contract.ts";
import type {
  TrackedDetailsView,
  TrackedInvoiceView,
  TrackedPackageView,
  TrackingView,
} from "#features/tracking/contract.ts";
import {
  sampleDetails,
  sampleInvoice,
  sampleMoving,
  samplePackage,
  sampleTracking,
} from "#features/tracking/web/fixtures/tracked.ts";
import type { Endpoint } from "#contract/endpoint.ts";
import { boot } from "#web/kit/boot.ts";
import {
  acme,
  owner,
  problem,
  renderApp,
  renderPage,
  startServer,
  wide,
  userEvent,
} from "#web/test-support.tsx";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";

const endpoints = Object.values(tracking).filter(
  (value): value is Endpoint & typeof value => typeof value === "object" && "path" in value,
);
const server = await startServer(endpoints);
const STATE = "GET /api/v1/tracking";
const LIST = "GET /api/v1/tracking/invoices";
const CHECK = "POST /api/v1/tracking/check";

const stateIs = (more: Partial<TrackingView> = {}) => server.on(STATE, { json: sampleTracking(more) });
const listIs = (invoices: readonly TrackedInvoiceView[], next: string | null = null) =>
  server.on(LIST, { json: { invoices, next } });
const invoiceIs = (of: TrackedDetailsView) => server.on(`${LIST}/${of.id}`, { json: of });

const moving = sampleInvoice({
  id: "409",
  number: "B-10409",
  customer: "Summit Outfitters",
  state: "in_transit",
  packages: 3,
  delivered: 2,
  tracking_number: "1Z999AA10312347119",
  scheduled_on: "2026-11-24",
});
const redRock = sampleInvoice();

async function open(path = "/tracking/", user: object = {}, connection = "connected", render = renderPage) {
  const isOn = { ...acme, tracking: true };
  server.on("GET /api/v1/user", { json: owner({ groups: ["app"], companies: [isOn], ...user }) });
  server.on("GET /api/v1/company", {
    json: { companies: [{ ...acme, services: ["tracking"], connection }] },
  });
  server.visit(path);
  render();
  await screen.findByRole("heading", { level: 1 });
}

async function openList(path?: string, user?: object, render = renderPage) {
  stateIs();
  listIs([redRock, moving]);
  invoiceIs(sampleDetails());
  await open(path, user, "connected", render);
}

const list = () => within(screen.getByRole("region", { name: "Invoices with packages" }));
const pane = async (name: string) => within(await screen.findByRole("region", { name }));
const calls = (call: string) =>
  server.requests.filter(({ method, url }) => `${method} ${url.pathname}` === call);
const queries = (call: string) => calls(call).map(({ url }) => Object.fromEntries(url.searchParams));
const rows = async () => {
  await waitFor(() => expect(list().getAllByRole("listitem").length).toBeGreaterThan(0));
  return list()
    .getAllByRole("listitem")
    .map(({ textContent }) => textContent);
};

afterEach(() => {
  vi.useRealTimers();
  Object.assign(boot, { sellsTracking: false, trackingPrice: null });
});

test("TK-13 the page says when it last checked, counts packages by state, and lists each invoice as one row", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-21T15:50:00Z") });
  await openList();
  expect(screen.getByRole("heading", { level: 1, name: "Dockside Tracking" })).toBeTruthy();
  expect(document.title).toBe("Tracking · Dockside");
  const figures = within(await screen.findByRole("region", { name: "Packages" }));
  expect(figures.getAllByRole("definition").map(({ textContent }) => textContent)).toEqual([
    "128packages",
    "118",
    "7",
    "3",
  ]);
  expect(screen.getByText("Tracking Service is on for Acme Tools.").parentElement?.textContent).toMatch(
    /^Tracking Service is on for Acme Tools\. Last checked .+ [AP]M \S+, next .+ [AP]M \S+\./,
  );
  expect(await rows()).toEqual([
    "Red Rock DinerDeliveredB-10277 · 1Z…6650Nov 20, 1:47 PM MST",
    "Summit Outfitters2 of 3 deliveredB-10409 · 1Z…7119 and 2 moreDue Nov 24",
  ]);
  expect(list().getByRole("button", { name: /^Attention/ }).textContent).toBe("Attention\u00a03");
});

test("TK-13 a check that is due now is in a moment, not at the minute of the last one", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-21T15:42:30Z") });
  stateIs({ next_check_at: "2026-11-21T15:42:10Z" });
  listIs([]);
  await open();
  expect(await screen.findByText(/Last checked .+ [AP]M \S+, next in a moment\./)).toBeTruthy();
});

test("SR-12 TK-13 the first invoice is shown beside the list with its scans in local time, its proof, and what was written to it", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-21T15:50:00Z") });
  await openList();
  const shown = await pane("Red Rock Diner");
  expect((await list().findByRole("link", { current: true })).textContent).toContain("Red Rock Diner");
  expect(shown.getByText(/^Invoice/).parentElement?.textContent).toBe(
    "Invoice B-10277UPS Ground1Z999AA10312346650",
  );
  const scans = within(shown.getByRole("list", { name: "Scans" })).getAllByRole("listitem");
  expect(scans.map(({ textContent }) => textContent)).toEqual([
    "DeliveredSedona, AZ · left at receiving dock, signed by M. OrtegaNov 20, 1:47 PM MST",
    "Out for deliveryFlagstaff, AZNov 20, 8:12 AM MST",
    "Arrived at FacilityFlagstaff, AZNov 20, 4:50 AM MST",
    "Pickup ScanBaltimore, MDNov 18, 5:05 PM EST",
    "Label madeNov 18, 10:20 AM EST",
  ]);
  const proof = within(shown.getByRole("region", { name: "Proof of delivery" }));
  expect(proof.getByRole("figure", { name: "Proof of delivery" }).textContent).toBe(
    "Proof of delivery UPSTracking number1Z999AA10312346650ServiceUPS GroundDeliveredNov 20, 2026, 1:47 PM MSTPlaceSedona, AZLeft atReceiving dockReceived byM. Ortega",
  );
  expect(proof.getByText(/^On invoice B-10277 since Nov 20, .*/)).toBeTruthy();
  expect(
    proof.getByText(
      "We added ship date Nov 18, UPS Ground, and the tracking number to the invoice. Nothing else was changed.",
    ),
  ).toBeTruthy();
  const link = proof.getByRole("link", { name: "Open the invoice" });
  expect(link.getAttribute("href")).toBe("https://qbo.intuit.com/app/invoice?txnId=277");
});

test("TR-28 changes of invoices that wait for the next read are named with its time; those that are read in a moment are not", async () => {
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000);
  const at = inMinutes(25);
  stateIs({ changes_read_at: at.toISOString() });
  listIs([moving]);
  await open();
  const time = new Intl.DateTimeFormat(undefined, { hour: "numeric", minute: "2-digit" }).format(at);
  const text = await screen.findByText(/We'll read changes in QuickBooks again at/);
  expect(text.textContent).toContain(time);
  cleanup();
  stateIs({ changes_read_at: inMinutes(0).toISOString() });
  await open();
  expect(await screen.findByText(/Last checked/)).toBeTruthy();
  expect(screen.queryByText(/read changes in QuickBooks again/)).toBeNull();
});

test("TK-13 a package says between which hours it comes and until when it can be picked up; for a label made here that UPS's service doesn't show, UPS's page is linked", async () => {
  const shown = async (of: TrackedPackageView, text: string) => {
    const details = sampleDetails({ details: [of] });
    listIs([details]);
    invoiceIs(details);
    await open();
    expect(await screen.findByText(text)).toBeTruthy();
  };
  await shown(
    sampleMoving({ state: "out_for_delivery", due_hours: { from: "11:15:00", until: "15:15:00" } }),
    "Due Nov 24, 11:15 AM to 3:15 PM",
  );
  cleanup();
  await shown(sampleMoving({ state: "held", pickup_by: "2026-11-30" }), "Pick up by Nov 30");
  cleanup();
  const label = sampleMoving({ state: "label_created", activities: [], is_label: true });
  await shown(label, "UPS's tracking service doesn't show this label. UPS's own page may:");
  expect(screen.getByRole("link", { name: "see it at ups.com" }).getAttribute("href")).toBe(
    `https://www.ups.com/track?tracknum=${label.number}`,
  );
});

test("TK-13 TK-18 the proof and the dispute pack are downloaded under the server's names", async () => {
  await openList();
  const saved: string[] = [];
  URL.createObjectURL = () => "blob:document";
  URL.revokeObjectURL = () => undefined;
  HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
    saved.push(this.download);
  };
  const pdf = (name: string) => ({
    text: "%PDF-1.7",
    headers: { "content-type": "application/pdf", "content-disposition": `attachment; filename="${name}"` },
  });
  const shown = await pane("Red Rock Diner");
  server.on("GET /api/v1/tracking/packages/1Z999AA10312346650/proof", pdf("proof.pdf"));
  await userEvent.click(shown.getByRole("button", { name: /^Download PDF/ }));
  server.on(`${LIST}/277/pack`, pdf("pack.pdf"));
  await userEvent.click(shown.getByRole("button", { name: "Download dispute pack" }));
  await waitFor(() => expect(saved).toEqual(["proof.pdf", "pack.pdf"]));
  server.on(`${LIST}/277/pack`, problem(502, "QuickBooks isn't answering."));
  await userEvent.click(shown.getByRole("button", { name: "Download dispute pack" }));
  expect(await shown.findByText("QuickBooks isn't answering.")).toBeTruthy();
});

test("TK-13 the list is filtered and searched by the server, fifty at a time; a failure offers a retry", async () => {
  await openList();
  await rows();
  listIs([moving], "cursor-2");
  await userEvent.click(list().getByRole("button", { name: /^Moving/ }));
  await userEvent.click(await list().findByRole("button", { name: "Show 50 more" }));
  await waitFor(() =>
    expect(queries(LIST)).toEqual([
      { realm_id: "1", show: "all" },
      { realm_id: "1", show: "moving" },
      { realm_id: "1", show: "moving", after: "cursor-2" },
    ]),
  );
  expect(window.location.search).toBe("?show=moving");
  server.on(LIST, problem(400, "Not now."));
  await userEvent.type(list().getByRole("searchbox", { name: "Search packages" }), "1Z 999");
  expect(await list().findByText("Not now.")).toBeTruthy();
  listIs([]);
  await userEvent.click(list().getByRole("button", { name: "Try again" }));
  expect(await list().findByText("No package matches.")).toBeTruthy();
  expect(queries(LIST).at(-1)).toEqual({ realm_id: "1", show: "moving", q: "1Z 999" });
});

test("TK-08 TK-13 the invoice in the address is shown with each of its packages; the one that determines its state comes first", async () => {
  const late = sampleMoving();
  const second = samplePackage({ number: "1Z999AA10312347122" });
  stateIs();
  listIs([redRock, moving]);
  invoiceIs(sampleDetails({ ...moving, details: [second, late], state: "in_transit" }));
  await open("/tracking/?invoice=409");
  const shown = await pane("Summit Outfitters");
  const packages = within(shown.getByRole("list", { name: "2 packages" }));
  expect(packages.getAllByRole("link").map(({ textContent }) => textContent)).toEqual([
    "1Z999AA10312347122Delivered",
    "1Z999AA10312347119On the way",
  ]);
  expect(packages.getByRole("link", { current: true }).textContent).toContain("7119");
  expect(shown.getByText(/^When UPS delivers it/)).toBeTruthy();
  await userEvent.click(packages.getByRole("link", { name: /7122/ }));
  expect(window.location.search).toBe("?invoice=409&package=1Z999AA10312347122");
  expect(await shown.findByRole("figure", { name: "Proof of delivery" })).toBeTruthy();
  await userEvent.click(await list().findByRole("link", { name: /Red Rock/ }));
  expect(window.location.search).toBe("?invoice=277");
});

test("TK-09 numbers of other carriers are shown as not followed, in the list and on the invoice", async () => {
  const none = { packages: 0, delivered: 0, tracking_number: "", state: "ended", at: null } as const;
  const fedex = sampleInvoice({ ...none, local_date: "", local_time: "", not_followed: ["FedEx", "USPS"] });
  stateIs();
  listIs([fedex]);
  invoiceIs(sampleDetails({ ...fedex, details: [] }));
  await open();
  expect(await rows()).toEqual(["Red Rock DinerNot trackedB-10277FedEx, USPS"]);
  const shown = await pane("Red Rock Diner");
  expect(
    shown.getByText("The FedEx and USPS numbers on this invoice aren't tracked. Only UPS is."),
  ).toBeTruthy();
});

test("TK-13 below 900 px an invoice has its own page with a way back; the filter stays", async () => {
  wide(false);
  await openList("/tracking/?show=delivered");
  await rows();
  expect(screen.queryByRole("region", { name: "Red Rock Diner" })).toBeNull();
  await userEvent.click(list().getByRole("link", { name: /Red Rock/ }));
  const heading = await screen.findByRole("heading", { level: 1, name: "Red Rock Diner" });
  await waitFor(() => expect(document.activeElement).toBe(heading));
  expect(screen.queryByRole("searchbox")).toBeNull();
  expect(window.location.search).toBe("?show=delivered&invoice=277");
  await userEvent.click(
    within(screen.getByRole("navigation", { name: "Tracking" })).getByRole("link", { name: "Tracking" }),
  );
  expect(await screen.findByRole("heading", { level: 1, name: "Dockside Tracking" })).toBeTruthy();
  expect(window.location.search).toBe("?show=delivered");
  expect(list().getByRole("button", { name: /^Delivered/, pressed: true })).toBeTruthy();
});

test("TK-14 Check now asks the server, then says when it can be used again; a click before that sends nothing", async () => {
  await openList();
  const button = await screen.findByRole("button", { name: "Check now" });
  server.on(CHECK, { status: 202, json: {} });
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-21T15:42:30Z") });
  stateIs({ check_allowed_at: "2026-11-21T15:43:30Z" });
  await userEvent.click(button);
  expect(
    await screen.findByText(/^You can check again at \d+:\d\d [AP]M \S+\.$/, { selector: "span" }),
  ).toBeTruthy();
  expect(document.activeElement).toBe(button);
  await userEvent.click(button);
  expect(calls(CHECK)).toHaveLength(1);
  expect(queries(CHECK)).toEqual([{ realm_id: "1" }]);
});

test("TK-14 a refused check says why beside the button", async () => {
  await openList();
  server.on(CHECK, problem(429, "You can check again at 10:43 AM."));
  await userEvent.click(await screen.findByRole("button", { name: "Check now" }));
  expect(await screen.findByText("You can check again at 10:43 AM.")).toBeTruthy();
});

test("TK-15 without the service the page says what it does, needs and costs, and leads the admin to Settings", async () => {
  Object.assign(boot, { sellsTracking: true, trackingPrice: "$29.00 a month" });
  stateIs({
    state: "off",
    counts: { watched: 0, delivered: 0, moving: 0, attention: 0, delayed: 0, without_proof: 0 },
    ups_state: "none",
  });
  await open("/tracking/", { companies: [acme] }, "connected", renderApp);
  expect(await screen.findByText("Proof of delivery, filed")).toBeTruthy();
  expect(screen.getByText("Tracking Service is off for Acme Tools.")).toBeTruthy();
  expect(
    screen.getByText(
      "It tracks UPS packages, and needs your company's UPS account. It costs $29.00 a month.",
    ),
  ).toBeTruthy();
  const link = within(screen.getByRole("main")).getByRole("link", { name: "Turn it on in Settings" });
  expect(link.getAttribute("href")).toBe("/settings/");
  expect(calls(LIST)).toEqual([]);
  expect(screen.queryByRole("link", { name: "Tracking" })).toBeNull();
});

test("TK-15 a user who isn't the admin sees who can turn the service on", async () => {
  Object.assign(boot, { sellsTracking: true });
  stateIs({
    state: "off",
    counts: { watched: 0, delivered: 0, moving: 0, attention: 0, delayed: 0, without_proof: 0 },
  });
  await open("/tracking/", { email: "carl@acme.example", companies: [acme] });
  expect(
    await screen.findByText("olive@acme.example, the company admin, can turn it on in Settings."),
  ).toBeTruthy();
  expect(screen.queryByRole("link", { name: "Turn it on in Settings" })).toBeNull();
});

test("TK-15 after the service ends, what was followed stays readable and nothing can be checked", async () => {
  stateIs({ state: "off" });
  listIs([redRock]);
  invoiceIs(sampleDetails());
  await open("/tracking/", { companies: [acme] });
  expect(await screen.findByText(/^No packages are checked now\./)).toBeTruthy();
  expect(await rows()).toHaveLength(1);
  expect(screen.queryByRole("button", { name: "Check now" })).toBeNull();
});

test.each([
  [{ ups_state: "none" }, "Connect your UPS account", "Connect it in Settings"],
  [{ ups_state: "reconnect_needed" }, "Reconnect your UPS account", "Reconnect in Settings"],
  [{ shipping_fields: "off" }, "Shipping is turned off in QuickBooks", null],
] as const)("TK-13 with %j the page says what to do", async (more, title, link) => {
  stateIs(more);
  listIs([]);
  await open();
  const notice = (await screen.findByText(title)).closest<HTMLElement>("[role=group]")!;
  if (link)
    expect(within(notice).getByRole("link", { name: link }).getAttribute("href")).toBe(
      "/settings/?section=tracking",
    );
  else expect(notice.textContent).toContain("Sales form content, and turn on Shipping");
});

test("TK-13 the last problem is shown with its time", async () => {
  stateIs({
    problem: "QuickBooks isn't responding. We'll keep trying.",
    problem_at: "2026-11-21T15:40:00Z",
  });
  listIs([redRock]);
  invoiceIs(sampleDetails());
  await open();
  expect(await screen.findByText(/^Last problem, Nov 21, /)).toBeTruthy();
  expect(screen.getByText(/^QuickBooks isn't responding\./)).toBeTruthy();
});

test("TK-13 a lost connection to QuickBooks is shown once", async () => {
  stateIs({
    problem: "QuickBooks no longer accepts the connection. Reconnect the company in Settings.",
    problem_at: "2026-11-21T15:40:00Z",
  });
  listIs([redRock]);
  invoiceIs(sampleDetails());
  await open("/tracking/", {}, "reconnect_needed");
  expect(await screen.findByText("Connection lost")).toBeTruthy();
  expect(screen.queryByText(/^Last problem/)).toBeNull();
});

test("TK-13 right after activation the progress is shown; with nothing found the page explains how packages are found", async () => {
  stateIs({ progress: { polled: 12, of: 128 }, checked_at: null });
  listIs([]);
  await open();
  expect(await screen.findByText(/Looking up the packages on your invoices: 12 of 128\./)).toBeTruthy();
  const bar = await screen.findByRole("progressbar", { name: "Packages looked up" });
  expect(bar.getAttribute("aria-valuenow")).toBe("9");
  expect(await screen.findByText("No packages yet")).toBeTruthy();
});

test("TK-13 a state that can't be loaded says so and is loaded again", async () => {
  server.on(STATE, problem(403, "Not your company."));
  listIs([redRock]);
  invoiceIs(sampleDetails());
  await open();
  expect(await screen.findByText("Not your company.")).toBeTruthy();
  stateIs();
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("Delivered and filed")).toBeTruthy();
});

test("the navigation bar links to Tracking only where the service is on and the user may upload", async () => {
  await openList("/tracking/", {}, renderApp);
  const entry = await screen.findByRole("link", { name: "Tracking" });
  expect([entry.getAttribute("href"), entry.getAttribute("aria-current")]).toEqual(["/tracking/", "page"]);
});
