import * as carrier from "#features/shipping/contract.ts";
import type { MadeLabels } from "#features/shipping/contract.ts";
import { sampleShipment } from "#features/shipping/web/history/fixtures/shipments.ts";
import type { Endpoint } from "#contract/endpoint.ts";
import {
  acme,
  type Answer,
  openDialogs,
  owner,
  problem,
  renderPage,
  startServer,
  userEvent,
} from "#web/test-support.tsx";
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";

const endpoints = Object.values(carrier).filter(
  (value): value is Endpoint & typeof value => typeof value === "object" && "path" in value,
);
const server = await startServer(endpoints);
const LIST = "GET /api/v1/labels/ups-label";
const VOID = "DELETE /api/v1/labels/ups-label";
const counts = { all: 128, unscanned: 9, voided: 4 };

beforeEach(() => openDialogs());

const listIs = (labels: readonly MadeLabels[], next: string | null = null) =>
  server.on(LIST, { json: { labels, next, counts } });

async function open(labels: readonly MadeLabels[], path = "/label/?history=1") {
  server.on("GET /api/v1/user", { json: owner({ groups: ["brainchild"] }) });
  server.on("GET /api/v1/company", {
    json: { companies: [{ ...acme, services: [], connection: "connected" }] },
  });
  listIs(labels);
  server.visit(path);
  renderPage();
  await screen.findByRole("heading", { level: 2, name: "Recently generated UPS labels" });
}

const row = async (name: RegExp) => within(await screen.findByRole("row", { name }));
const calls = (call: string) =>
  server.requests.filter(({ method, url }) => `${method} ${url.pathname}` === call);
const queries = (call: string) => calls(call).map(({ url }) => Object.fromEntries(url.searchParams));
const ana = sampleShipment();

test("HI-01 HI-02 HI-14 HI-15 HI-17 labels are listed, searched and filtered by the server, fifty at a time; a failure offers a retry", async () => {
  await open([ana]);
  expect(await row(/^PO # 8841188 \(Ana Brooks\)/)).toBeTruthy();
  expect(screen.getByRole("button", { name: /^Not scanned/ })).toBeTruthy();
  listIs([ana], "cursor-2");
  await userEvent.click(screen.getByRole("button", { name: /^Not scanned/ }));
  await userEvent.click(await screen.findByRole("button", { name: "Show 50 more" }));
  await waitFor(() =>
    expect(queries(LIST)).toEqual([
      { limit: "50", show: "all" },
      { limit: "50", show: "unscanned" },
      { limit: "50", show: "unscanned", before: "cursor-2" },
    ]),
  );
  server.on(LIST, problem(400, "Not now."));
  await userEvent.type(screen.getByRole("searchbox", { name: "Search labels" }), "8841");
  expect(await screen.findByText("Not now.")).toBeTruthy();
  listIs([]);
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("No label matches.")).toBeTruthy();
  expect(queries(LIST).at(-1)).toEqual({ limit: "50", show: "unscanned", q: "8841" });
});

test("HI-15 the address may name an order, and an empty history says so", async () => {
  await open([], "/label/?history=1&q=8841188");
  expect(await screen.findByText("No label matches.")).toBeTruthy();
  expect(queries(LIST)[0]).toMatchObject({ q: "8841188" });
  await userEvent.clear(screen.getByRole("searchbox"));
  expect(await screen.findByText("No data.")).toBeTruthy();
});

test("HI-03 HI-04 HI-05 HI-06 HI-07 HI-12 HI-18 DL-09 each row shows its order, shipment, time and state; where a void is not possible, the reason replaces it", async () => {
  await open([
    ana,
    sampleShipment({
      po_number: "2",
      package_state: "in_transit",
      scanned_at: "2026-11-22T20:00:00Z",
      can_void: false,
    }),
    sampleShipment({
      po_number: "3",
      package_state: "delivered",
      scanned_at: "2026-11-22T20:00:00Z",
      can_void: false,
    }),
    sampleShipment({
      po_number: "6",
      ship_date: new Date(Date.now() - 2.5 * 86_400_000).toISOString(),
    }),
    sampleShipment({ po_number: "4", package_state: null, can_void: false, cost: "$11.84", billed_to: null }),
    sampleShipment({
      po_number: "5",
      state: "voided",
      voided_at: "2026-11-20T15:40:00Z",
      voided_by: "Olive Hart",
      is_order_open: true,
    }),
    sampleShipment({ po_number: "7", state: "voided", new_shipment: "1Z999AA10123456690" }),
    sampleShipment({ po_number: "8", state: "voided" }),
    sampleShipment({
      po_number: "9",
      state: "partly_voided",
      voided_at: "2026-11-20T15:40:00Z",
      voided_by: "Olive Hart",
    }),
    sampleShipment({
      po_number: "10",
      state: "partly_voided",
      voided_at: "2026-11-20T15:40:00Z",
      is_voided_at_ups: true,
    }),
  ]);
  const first = await screen.findByRole("row", { name: /^PO # 8841188/ });
  expect(first.textContent).toContain("PO # 8841188 (Ana Brooks)");
  expect(first.textContent).toContain("Shipment # 1Z999AA10123456784");
  expect(first.textContent).toMatch(
    /Label generated Nov \d\d, (2026, )?\d+:.*2 cartons · billed to Hearth Supply/,
  );
  const names = within(first)
    .getAllByRole("button")
    .map(({ textContent }) => textContent.replaceAll("\u00a0", " "));
  expect(names).toEqual([
    "Download Packing Slip for PO # 8841188",
    "Print labels of PO # 8841188",
    "Download Current UPS Label for PO # 8841188",
    "Void Label(s) labels of PO # 8841188",
  ]);
  // The slip is that of the row's own labels.
  await userEvent.click(within(first).getByRole("button", { name: /^Download Packing Slip/ }));
  const slip = `GET /api/v1/labels/packing-slip/${ana.packing_slip_file}`;
  await waitFor(() => expect(queries(slip)).toEqual([{ id: ana.id }]));
  expect((await row(/^PO # 2 /)).getByText("UPS has it")).toBeTruthy();
  expect((await row(/^PO # 3 /)).getByText("UPS delivered it")).toBeTruthy();
  expect((await row(/^PO # 6 /)).getByText("Not scanned in 2 days")).toBeTruthy();
  const fourth = await row(/^PO # 4 /);
  expect(fourth.getByText("Too late to void")).toBeTruthy();
  expect(fourth.getByText("2 cartons · $11.84, billed to you")).toBeTruthy();
  const voided = await row(/^PO # 5 /);
  expect(voided.getByText(/^Voided Nov 20, .* by Olive Hart$/)).toBeTruthy();
  expect(voided.queryByRole("button")).toBeNull();
  expect(voided.getByRole("link", { name: "Make new labels" }).getAttribute("href")).toContain("?ups=1&po=5");
  expect((await row(/^PO # 9 /)).getByText(/^Last voided Nov 20, .* by Olive Hart$/)).toBeTruthy();
  expect((await row(/^PO # 10 /)).getByText(/^Last voided Nov 20, .* on ups\.com$/)).toBeTruthy();
  const renewed = await row(/^PO # 7 /);
  expect((await row(/^PO # 8 /)).queryByRole("link")).toBeNull();
  await userEvent.click(renewed.getByRole("button", { name: "1Z999AA10123456690" }));
  expect((screen.getByRole("searchbox", { name: "Search labels" }) as HTMLInputElement).value).toBe(
    "1Z999AA10123456690",
  );
});

test("HI-16 printing is free and counted: the button then says Reprint", async () => {
  await open([ana]);
  const tab = { location: { href: "" }, close: () => undefined };
  window.open = () => tab as unknown as Window;
  URL.createObjectURL = () => "blob:labels";
  const PRINT = "POST /api/v1/labels/ups-label/print";
  server.on(PRINT, { text: "%PDF-1.7", headers: { "content-type": "application/pdf" } });
  await userEvent.click((await row(/8841188/)).getByRole("button", { name: /^Print/ }));
  listIs([{ ...ana, prints: 1 }]);
  expect(await (await row(/8841188/)).findByRole("button", { name: /^Reprint/ })).toBeTruthy();
  expect(tab.location.href).toBe("blob:labels");
  expect(calls(PRINT).map(({ body }) => JSON.parse(body) as unknown)).toEqual([{ ids: [ana.id] }]);
});

test("OI-14 labels show the status of their ship notice, and why the retailer rejects one", async () => {
  const notice = { id: crypto.randomUUID(), at: "2026-11-26T10:00:00Z", problems: [] };
  await open([
    { ...ana, po_number: "7001", notice: { ...notice, state: "accepted" } },
    {
      ...ana,
      po_number: "7002",
      notice: { ...notice, state: "rejected", problems: ["Segment 4: error 7.", "Document: error 5."] },
    },
    { ...ana, po_number: "7003", notice: { ...notice, state: "overdue" } },
  ]);
  expect((await row(/7001/)).getByText(/^Ship notice accepted Nov 26, /)).toBeTruthy();
  expect(
    (await row(/7002/)).getByText(
      /^Ship notice rejected Nov 26, .* \(Segment 4: error 7\. Document: error 5\.\)$/,
    ),
  ).toBeTruthy();
  expect((await row(/7003/)).getByText(/^Ship notice of Nov 26, .* not answered$/)).toBeTruthy();
});

test("HI-08 HI-09 HI-10 HI-11 HI-13 OI-15 a void asks first, with Keep in front, warns of a ship notice, and says if UPS refuses", async () => {
  const noticed = { ...ana, is_notified: true };
  await open([noticed]);
  const button = (await row(/8841188/)).getByRole("button", { name: /^Void Label\(s\)/ });
  await userEvent.click(button);
  const dialog = () => within(screen.getByRole("dialog", { name: "Void the labels of PO # 8841188?" }));
  expect(dialog().getByText(/2 cartons\. UPS won't accept these labels anymore/)).toBeTruthy();
  expect(dialog().getByText("Hearth Supply already has the ship notice")).toBeTruthy();
  expect(
    dialog().getByText(/^Let Hearth Supply know that the shipment's 2 tracking numbers are/),
  ).toBeTruthy();
  expect(document.activeElement?.textContent).toBe("Keep");
  await userEvent.keyboard("{Enter}");
  expect([screen.queryByRole("dialog"), calls(VOID), document.activeElement]).toEqual([null, [], button]);
  let answer = () => undefined as void;
  const refusal: Answer = {
    ...problem(409, "UPS: the shipment can't be voided anymore (190101)."),
    wait: new Promise<void>((resolve) => (answer = resolve)),
  };
  server.on(VOID, refusal);
  await userEvent.click(button);
  await userEvent.click(dialog().getByRole("button", { name: "Void Label(s)" }));
  expect(button.getAttribute("aria-busy")).toBe("true");
  answer();
  const error = await screen.findByRole("alert", { name: "Void Error" });
  expect(error.textContent).toContain("UPS: the shipment can't be voided anymore (190101).");
  expect(queries(VOID)).toEqual([{ po_number: "8841188", shipment: "1Z999AA10123456784" }]);
  server.on(VOID, { json: { kept: ["1Z999AA10123456793"] } });
  await userEvent.click(button);
  await userEvent.click(dialog().getByRole("button", { name: "Void Label(s)" }));
  expect(await screen.findByText(/^UPS didn't void 1Z999AA10123456793\./)).toBeTruthy();
  server.on(VOID, { json: { kept: [] } });
  const before = calls(LIST).length;
  await userEvent.click((await row(/8841188/)).getByRole("button", { name: /^Void Label\(s\)/ }));
  listIs([{ ...noticed, state: "voided", voided_at: "2026-11-26T10:00:00Z", voided_by: "Olive Owner" }]);
  await userEvent.click(dialog().getByRole("button", { name: "Void Label(s)" }));
  expect(await (await row(/8841188/)).findByText(/^Voided Nov 26, .* by Olive Owner$/)).toBeTruthy();
  expect(calls(LIST).length).toBeGreaterThan(before);
  await waitFor(() =>
    expect(screen.getByRole("status").textContent).toBe("Label(s) voided. PO # 8841188 is open again."),
  );
});

test("OI-08 HI-13 the void of labels whose order the retailer canceled doesn't promise an open order", async () => {
  await open([{ ...ana, is_notified: true, reopens: false }]);
  await userEvent.click((await row(/8841188/)).getByRole("button", { name: /^Void Label\(s\)/ }));
  const dialog = within(screen.getByRole("dialog", { name: "Void the labels of PO # 8841188?" }));
  expect(
    dialog.getByText(/anymore\. The retailer canceled the order, so it won't be open again\./),
  ).toBeTruthy();
  expect(dialog.getByText(/2 tracking numbers are void\.$/)).toBeTruthy();
  server.on(VOID, { json: { kept: [] } });
  listIs([]);
  await userEvent.click(dialog.getByRole("button", { name: "Void Label(s)" }));
  await waitFor(() =>
    expect(screen.getByRole("status").textContent).toMatch(
      /The retailer canceled PO # 8841188, so it isn't open/,
    ),
  );
});

test("SR-03 selected labels print with their packing slips as one file in the order in which they were packed", async () => {
  const later = sampleShipment({
    id: "0e0e0e0e-0000-4000-8000-00000000000b",
    po_number: "8841190",
    carton_count: 2,
    packed_place: 1,
    ship_date: "2026-11-22T15:21:00Z",
  });
  // UPS answered about the first one last.
  const earlier = sampleShipment({ ship_date: "2026-11-22T15:21:01Z" });
  const gone = sampleShipment({
    id: "0e0e0e0e-0000-4000-8000-00000000000c",
    po_number: "8841191",
    state: "voided",
  });
  await open([later, earlier, gone]);
  const choose = (po: string) => screen.getByRole("checkbox", { name: `Select the labels of PO # ${po}` });
  await screen.findByRole("row", { name: /8841190/ });
  expect((choose("8841191") as HTMLInputElement).disabled).toBe(true);
  await userEvent.click(choose("8841190"));
  await userEvent.click(choose("8841188"));
  const band = within(screen.getByRole("region", { name: "Selected labels" }));
  const PRINT = "POST /api/v1/labels/ups-label/print";
  server.on(PRINT, { text: "%PDF-1.7", headers: { "content-type": "application/pdf" } });
  window.open = () => ({ location: { href: "" }, close: () => undefined }) as unknown as Window;
  const count = later.carton_count + earlier.carton_count;
  await userEvent.click(band.getByRole("button", { name: `Print ${count} labels and slips` }));
  await waitFor(() =>
    expect(calls(PRINT).map(({ body }) => JSON.parse(body) as unknown)).toEqual([
      { ids: [earlier.id, later.id], slips: true },
    ]),
  );
  await userEvent.click(band.getByRole("button", { name: "Clear" }));
  expect(screen.queryByRole("region", { name: "Selected labels" })).toBeNull();
});
