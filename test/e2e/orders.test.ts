import { readFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";
import { endLink, finishLink, startLink } from "#features/carrier/contract.ts";
import { changeService } from "#features/companies/contract.ts";
import { changeCarrierSettings, type CarrierSettings } from "#features/labels/carrier/contract.ts";
import { changeNoticeSettings, readNoticeSettings } from "#features/orders/notices-out/contract.ts";
import { sampleFile, sampleOrder } from "#formats/x12/fixtures/sample-orders.ts";
import { createBrowser } from "../support/browser.ts";
import { ACME, driveIntuit } from "../support/intuit.ts";
import type { Product } from "../support/run-product.ts";
import { driveUps } from "../support/ups.ts";
import { expect, test } from "./product.ts";
import { expectNoBarrier } from "./support/barriers.ts";
import { allAsked, openPath } from "./support/visit.ts";

/** The tests share one company and follow each other. */
test.describe.configure({ mode: "serial" });

/** Of the simulated UPS, for its user acme-shipping. */
const UPS_ACCOUNT = "1A2B3C";
const CARRIER_SETTINGS: CarrierSettings = {
  ship_from: null,
  label_format: "pdf",
  billing: "third_party",
  billing_account: "R9H77W",
  billing_zip: "30339",
  vendor_number: "",
  cancel_reason: "",
  presets: [],
};
const TAB = "/label/?ups=1";
const HISTORY = "/label/?history=1";

const order = (page: Page, po: string) => page.getByRole("article", { name: new RegExp(`PO # ${po} `) });
const row = (page: Page, po: string) => page.getByRole("row", { name: new RegExp(`^PO # ${po} `) });
const field = (place: Locator, name: string) => place.getByRole("textbox", { name, exact: true });
/** Its name ends with the unit. */
const weight = (place: Locator) => place.getByRole("textbox", { name: "Weight lb", exact: true });
const generate = (place: Locator) => place.getByRole("button", { name: /^Generate/ });

/** The company's admin, without pages. */
async function signInAdmin({ url, intuitUrl }: Product) {
  const admin = createBrowser(url, driveIntuit(intuitUrl));
  await admin.signIn("owner@acme.example");
  return admin;
}

/** The Tracking Service is on without payment. */
async function grantTracking({ url, intuitUrl }: Product) {
  const operator = createBrowser(url, driveIntuit(intuitUrl));
  await operator.signIn("platform@dockside.example");
  const json = { realm_id: ACME, service: "tracking", state: "active", until: null, reason: "test" };
  expect((await operator.call(changeService, { json })).status).toBe(200);
}

/** Connects the company's UPS account, without pages, as if it had no ship-from address yet. */
async function connectUps(product: Product) {
  const { upsUrl } = product;
  const admin = await signInAdmin(product);
  const query = { realm_id: ACME, ups_account: UPS_ACCOUNT };
  const { redirect } = (await admin.call(startLink, { query })).json() as { redirect: string };
  const { searchParams } = await driveUps(upsUrl).signIn(redirect, "acme-shipping");
  const answer = { code: searchParams.get("code") ?? "", state: searchParams.get("state") ?? "" };
  expect((await admin.call(finishLink, { json: answer })).status).toBe(200);
  expect((await admin.call(changeCarrierSettings, { json: CARRIER_SETTINGS })).status).toBe(200);
}

/** Adds a file of orders by the page's own button. */
async function add(page: Page, sets: readonly (readonly string[])[], name = "orders.edi") {
  await page
    .getByLabel("File of orders")
    .setInputFiles({ name, mimeType: "", buffer: Buffer.from(sampleFile({ sets })) });
}

const changed = (number: number, from: string, to: string) =>
  sampleOrder(number).map((segment) => segment.replace(from, to));

test("CR-32 OI-01 OI-03 without a UPS account orders come in by file, but no labels are made", async ({
  openAs,
  product,
}) => {
  await grantTracking(product);
  const query = { realm_id: ACME, ups_account: UPS_ACCOUNT };
  expect((await (await signInAdmin(product)).call(endLink, { query })).status).toBe(200);
  const page = await openAs("owner");
  await openPath(page, TAB);
  await expect(page.getByText("No UPS account is connected")).toBeVisible();
  await expect(page.getByRole("link", { name: "Connect a UPS account in Settings" })).toHaveAttribute(
    "href",
    "/settings/?section=tracking",
  );
  await add(page, [sampleOrder(1), sampleOrder(2), sampleOrder(3), sampleOrder(4)]);
  const result = page.getByRole("group", { name: "Orders of orders.edi" });
  await expect(result).toContainText("4 orders added: PO # 80001, 80002, 80003, 80004");
  await expect(order(page, "80001")).toContainText("PO # 80001 (Jane Doe)");
  await expect(order(page, "80001")).toContainText("Reno, NV 89506 · 2 lines");
  await expect(generate(order(page, "80001"))).toBeDisabled();
  await expect(generate(order(page, "80001"))).toHaveAccessibleDescription("Connect a UPS account first.");
  await add(page, [sampleOrder(2)], "again.txt");
  await expect(page.getByRole("group", { name: "Orders of again.txt" })).toContainText("1 already here");
  await expectNoBarrier(page, "orders without an account");
});

test("the admin enters a missing ship-from address, and then labels can be made", async ({
  openAs,
  product,
}) => {
  await connectUps(product);
  const page = await openAs("owner");
  await openPath(page, TAB);
  await page.getByRole("button", { name: "Add it in the UPS label settings" }).click();
  const form = page.getByRole("form", { name: "UPS label settings" });
  const from = {
    Name: "Acme Tools",
    Address: "9 Wharf Road",
    City: "Portland",
    State: "or",
    "ZIP code": "97209",
  };
  for (const [name, value] of Object.entries(from)) await field(form, name).first().fill(value);
  await form.getByRole("textbox", { name: /^UPS account of/ }).fill("R9H77W");
  await form.getByRole("textbox", { name: "ZIP code of that account" }).fill("3033");
  await form.getByRole("button", { name: "Save" }).click();
  await expect(form.getByRole("alert")).toContainText("five digits");
  await form.getByRole("textbox", { name: "ZIP code of that account" }).fill("30339");
  await form.getByRole("button", { name: "Add a carton size" }).click();
  await form
    .getByRole("group", { name: "Carton size 1" })
    .getByRole("textbox", { name: "Name" })
    .fill("Cube");
  await expectNoBarrier(page, "UPS label settings");
  await form.getByRole("button", { name: "Save" }).click();
  const notices = page.getByRole("form", { name: /^Notices for/ });
  const cutOff = notices.getByRole("textbox", { name: "Notices leave at" });
  await cutOff.fill("4 pm");
  await notices.getByRole("button", { name: "Save notice settings" }).click();
  await expect(notices.getByRole("alert")).toContainText("must be a time like 17:00");
  await cutOff.fill("16:30");
  await notices.getByRole("button", { name: "Save notice settings" }).click();
  await expect(notices.getByRole("alert")).toHaveCount(0);
  await expect(page.getByText("Your ship-from address is missing")).toHaveCount(0);
  await expect(page.getByText(/^UPS account ending 2B3C is connected\./)).toBeVisible();
  await expect(generate(order(page, "80001"))).toBeEnabled();
});

test("CR-03 CR-04 CR-11 CR-12 CR-13 CR-14 CR-16 CR-18 CR-19 DL-02 DL-05 labels are made, saved and stay with their order until the tab is left", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  const sent: unknown[] = [];
  const made = Promise.withResolvers<void>();
  await page.route("**/api/v1/labels/ups-label", async (route) => {
    if (route.request().method() === "POST") {
      sent.push(route.request().postDataJSON());
      await made.promise;
    }
    await route.continue();
  });
  await openPath(page, TAB);
  const first = order(page, "80001");
  await first.getByRole("button", { name: /^Add/ }).click();
  await weight(first).nth(1).fill("14.50");
  await expect(first.getByText("2 cartons")).toBeVisible();
  const saving = page.waitForEvent("download");
  await generate(first).click();
  await expect(first.getByText("Generating 2 labels…")).toBeVisible();
  for (const input of await first.getByRole("textbox").all()) await expect(input).toBeDisabled();
  await expect(generate(first)).toHaveCount(0);
  made.resolve();
  const file = await saving;
  expect(file.suggestedFilename()).toBe("80001-labels.pdf");
  expect((await readFile(await file.path())).toString("latin1")).toMatch(/^%PDF/);
  const ready = first.getByRole("group", { name: "Labels ready for PO # 80001" });
  await expect(ready).toContainText(/2 cartons · Shipment # 1Z/);
  expect(sent).toEqual([
    {
      po_number: "80001",
      cartons: [
        { length: 15, width: 13, height: 3, weight: 2 },
        { length: 15, width: 13, height: 3, weight: 14.5 },
      ],
      key: expect.stringMatching(/^[\da-f-]{36}$/),
    },
  ]);
  const slip = page.waitForEvent("download");
  await first.getByRole("button", { name: "Download Packing Slip for PO # 80001" }).click();
  expect((await slip).suggestedFilename()).toBe("80001-packing-slip.pdf");
  await expectNoBarrier(page, "labels ready");
  await page.getByRole("tab", { name: "History" }).click();
  await expect(row(page, "80001")).toBeVisible();
  await page.getByRole("tab", { name: /UPS Labels$/ }).click();
  await expect(order(page, "80002")).toBeVisible();
  await expect(first).toHaveCount(0);
});

test("CR-15 CR-17 CR-20 OI-16 each of several orders has its own outcome; a refused address is corrected in place", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  await openPath(page, TAB);
  await add(page, [changed(5, "N4*Reno*NV*89506", "N4*Reno*NV*10001")]);
  await expect(order(page, "80005")).toBeVisible();
  await page.getByRole("checkbox", { name: "Select PO # 80002" }).check();
  await page.getByRole("checkbox", { name: "Select PO # 80005" }).check();
  const band = page.getByRole("region", { name: "Selected orders" });
  await expect(band).toContainText("2 orders · 2 cartons · 4 lb selected");
  await band.getByRole("button", { name: "Generate 2 labels" }).click();
  const result = page.getByRole("group", { name: "Generated labels" });
  await expect(result).toContainText("Labels of 1 order are ready");
  await expect(result).toContainText("1 order needs attention");
  await expect(order(page, "80002").getByRole("group", { name: /^Labels ready/ })).toBeVisible();
  const saving = page.waitForEvent("download");
  await result.getByRole("button", { name: /^Download UPS Labels/ }).click();
  expect((await saving).suggestedFilename()).toBe("labels.pdf");
  const failed = order(page, "80005");
  await expect(failed.getByRole("alert", { name: "Upload Error" })).toContainText(
    "UPS doesn't know 12 Main Street, Apartment 4, Reno, NV 10001. It may be 12 MAIN ST APT 4, RENO, NV 89506",
  );
  await expectNoBarrier(page, "outcomes of a batch");
  await failed.getByRole("button", { name: "Correct address" }).click();
  await field(failed, "ZIP code").fill("89506");
  await failed.getByRole("button", { name: /^Save address/ }).click();
  await expect(generate(failed)).toBeEnabled();
  const again = page.waitForEvent("download");
  await generate(failed).click();
  expect((await again).suggestedFilename()).toBe("80005-labels.pdf");
});

test("CR-05 CR-23 CR-24 CR-25 CR-26 CR-27 CR-28 CR-29 an order is cancelled, the cancellation undone, cancelled again and restored", async ({
  openAs,
}) => {
  const page = await openAs("owner", { timezoneId: "America/New_York" });
  await openPath(page, TAB);
  const asked: string[] = [];
  page.on("request", (request) => (request.method() === "DELETE" ? asked.push(request.url()) : 0));
  await expect(page.getByRole("heading", { name: /^Cancelled/ })).toHaveCount(0);
  await order(page, "80003")
    .getByRole("button", { name: /^\[ Cancel Order \]/ })
    .click();
  const stub = page.getByRole("article", { name: "PO # 80003 is cancelled." });
  await expect(page.getByRole("heading", { name: /^Cancelled .+ Orders$/ })).toBeVisible();
  const cancelled = page.getByRole("row", { name: /^80003 Jane Doe Cancelled at / });
  await expect(cancelled).toBeVisible();
  expect(new URL(asked[0] ?? "").search).toBe("?customer=retailer&po_number=80003");
  await stub.getByRole("button", { name: /^Undo/ }).click();
  await expect(order(page, "80003")).toBeVisible();
  await expect(cancelled).toHaveCount(0);
  await order(page, "80003")
    .getByRole("button", { name: /^\[ Cancel Order \]/ })
    .click();
  await expectNoBarrier(page, "a cancelled order");
  await cancelled.getByRole("button", { name: /^Restore/ }).click();
  await expect(cancelled).toHaveCount(0);
  await expect(order(page, "80003")).toBeVisible();
});

test("CR-33 LB-12 typed cartons survive other tabs; an order that another user finishes says so", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  await openPath(page, TAB);
  await weight(order(page, "80003")).fill("7");
  await weight(order(page, "80004")).fill("8");
  await page.getByRole("tab", { name: "History" }).click();
  await expect(row(page, "80001")).toBeVisible();
  await page.getByRole("tab", { name: /UPS Labels$/ }).click();
  await expect(weight(order(page, "80003"))).toHaveValue("7");
  await page.reload();
  await expect(weight(order(page, "80004"))).toHaveValue("8");
  const other = await openAs("owner");
  await openPath(other, TAB);
  await generate(order(other, "80004")).click();
  await expect(order(other, "80004").getByRole("group", { name: /^Labels ready/ })).toBeVisible();
  await add(page, [sampleOrder(3)]);
  await expect(order(page, "80004")).toContainText("This order was handled elsewhere.");
  await expect(weight(order(page, "80003"))).toHaveValue("7");
});

test("OI-04 OI-08 a different order with a known number waits for an answer; the retailer's cancellation is executed", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  await openPath(page, TAB);
  const other = changed(3, "PO1*1*2*", "PO1*1*4*").map((segment) => segment.replace("CTT*2*12", "CTT*2*14"));
  await add(page, [other]);
  const third = order(page, "80003");
  await expect(third).toContainText("Quantity of line 1: 2 here, 4 in the new one");
  await expect(generate(third)).toHaveCount(0);
  await page.getByRole("button", { name: /^Need attention/ }).click();
  await expect(page.getByRole("article")).toHaveCount(1);
  await expectNoBarrier(page, "an order that waits");
  await third.getByRole("button", { name: /^Use the new one/ }).click();
  await page.getByRole("button", { name: /^Open/ }).click();
  await expect(generate(third)).toBeEnabled();
  await add(page, [changed(3, "BEG*00", "BEG*01")], "cancellation.edi");
  await expect(page.getByRole("group", { name: "Orders of cancellation.edi" })).toContainText(
    "1 cancelled by the retailer",
  );
  await expect(page.getByRole("row", { name: /^80003 Jane Doe Cancelled at/ })).toBeVisible();
});

test("OI-02 a sheet of orders asks for the columns it can't match, and comes in once they are matched", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  await openPath(page, TAB);
  const rows = [
    "Bestellung,Name,Address,City,State,Zip,Qty",
    ...["9001", "9002", "9003"].map((po) => `${po},Ann Lee,12 Main Street,Reno,NV,89506,2`),
  ];
  await page
    .getByLabel("File of orders")
    .setInputFiles({ name: "odd.csv", mimeType: "text/csv", buffer: Buffer.from(rows.join("\n")) });
  await page
    .getByRole("combobox", { name: "Meaning of column A, Bestellung" })
    .selectOption("PO Number (required)");
  await page.getByRole("button", { name: "Save and continue" }).click();
  await expect(page.getByRole("group", { name: "Orders of odd.csv" })).toContainText("3 orders added");
  for (const po of ["9001", "9002", "9003"]) await expect(order(page, po)).toBeVisible();
});

test("HI-01 HI-02 HI-03 HI-06 HI-07 HI-08 HI-09 HI-11 HI-12 HI-13 HI-15 HI-16 labels are found, printed again and voided by keyboard", async ({
  openAs,
}) => {
  const page = await openAs("owner", { timezoneId: "America/New_York" });
  await openPath(page, HISTORY);
  await expect(page.getByRole("heading", { name: "Recently generated UPS labels" })).toBeVisible();
  await page.getByRole("searchbox", { name: "Search labels" }).fill("80002");
  await expect(page.getByRole("row")).toHaveCount(2);
  const second = row(page, "80002");
  await expect(second).toContainText("PO # 80002 (Jane Doe)");
  await expect(second).toContainText(/Shipment # 1Z\w{16}/);
  await expect(second).toContainText(/Label generated \w{3} \d+, \d{4}, \d+:\d\d [AP]M/);
  const saving = page.waitForEvent("download");
  await second.getByRole("button", { name: "Download Current UPS Label for PO # 80002" }).click();
  expect((await saving).suggestedFilename()).toBe("80002-labels.pdf");
  await expectNoBarrier(page, "history");
  const ask = second.getByRole("button", { name: /^Void Label\(s\)/ });
  await ask.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Void the labels of PO # 80002?" });
  await expect(dialog.getByRole("button", { name: "Keep" })).toBeFocused();
  await expectNoBarrier(page, "the question before a void");
  await page.keyboard.press("Escape");
  await expect(ask).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(second).toContainText(/Voided \w{3} \d+, \d{4}, .* by /);
  await expect(page.locator("[aria-live=polite]")).toHaveText(
    /^Label\(s\) voided\. PO # 80002 is open again\./,
  );
  await second.getByRole("link", { name: "View open order" }).click();
  await expect(generate(order(page, "80002"))).toBeEnabled();
  await expect(page.getByRole("searchbox", { name: "Search orders" })).toHaveValue("80002");
});

test("HI-10 the reason why UPS refuses a void stands below its button, and moves no column", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  await openPath(page, HISTORY);
  const detail =
    "UPS says: No shipment found within the allowed void period (190102). The labels are still good.";
  await page.route("**/api/v1/labels/ups-label?*", (route) =>
    route.fulfill({ status: 409, contentType: "application/problem+json", body: JSON.stringify({ detail }) }),
  );
  const state = page.getByRole("columnheader", { name: "State" });
  const before = await state.boundingBox();
  await page
    .getByRole("button", { name: /^Void Label\(s\)/ })
    .first()
    .click();
  await page.getByRole("dialog").getByRole("button", { name: "Void Label(s)" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Void Error" })).toContainText(detail);
  expect(await state.boundingBox()).toEqual(before);
});

/** The retailer's 997 about the group of a ship notice. */
const answerTo = (control: string, status: "A" | "R") => {
  const accepted = status === "A" ? 1 : 0;
  return [
    "ST*997*0001",
    `AK1*SH*${control}`,
    "AK2*856*0001",
    status === "A" ? "AK5*A" : "AK5*R*5",
    `AK9*${status}*1*1*${accepted}`,
    "SE*6*0001",
  ];
};

test("OI-14 OI-15 a notice is sent at the cut-off; History shows the retailer's answer, and a void afterwards warns first", async ({
  openAs,
  product,
}) => {
  test.setTimeout(300_000);
  const admin = await signInAdmin(product);
  // UPS voids no label that it has scanned, and a scan would let the notice leave at once.
  await driveUps(product.upsUrl).control("settings", { scenario: "never_scanned" }, "PATCH");
  const { time_zone: timeZone } = (await admin.call(readNoticeSettings)).json() as { time_zone: string };
  // The shortest cut-off there is: a minute that ends after the labels are made.
  const soon = new Date(Date.now() + 90_000);
  const cut_off = new Intl.DateTimeFormat("sv-SE", { timeZone, timeStyle: "short" }).format(soon);
  expect((await admin.call(changeNoticeSettings, { json: { cut_off, sender_id: "" } })).status).toBe(200);
  const page = await openAs("owner");
  await openPath(page, TAB);
  await add(page, [sampleOrder(6), sampleOrder(7), sampleOrder(8)]);
  for (const po of ["80006", "80007", "80008"]) {
    await generate(order(page, po)).click();
    await expect(order(page, po).getByRole("group", { name: /^Labels ready/ })).toBeVisible();
  }
  await page.getByRole("tab", { name: "History" }).click();
  for (const po of ["80006", "80007", "80008"])
    await expect(row(page, po)).toContainText(/Ship notice leaves \w{3} \d+, \d{4}/);
  await page.getByRole("tab", { name: /UPS Labels$/ }).click();
  const due = page.getByRole("group", { name: /^3 notices for/ });
  await expect(due).toBeVisible({ timeout: 150_000 });
  await expectNoBarrier(page, "notices that are due");
  const saving = page.waitForEvent("download");
  await due.getByRole("button", { name: "Download Notices" }).click();
  const file = await saving;
  expect(file.suggestedFilename()).toBe("notices.edi");
  const text = await readFile(await file.path(), "utf8");
  await expect(due).toHaveCount(0);
  const controls = new Map(
    text
      .split("GS*")
      .slice(1)
      .map((group) => [/PRF\*(\d+)/.exec(group)?.[1], /^SH\*(?:[^*]*\*){4}(\d+)\*/.exec(group)?.[1] ?? ""]),
  );
  expect(new Set(controls.keys())).toEqual(new Set(["80006", "80007", "80008"]));
  await page.getByRole("tab", { name: "History" }).click();
  for (const po of ["80006", "80007", "80008"]) await expect(row(page, po)).toContainText("Ship notice sent");
  const ask = row(page, "80006").getByRole("button", { name: /^Void Label\(s\)/ });
  await ask.click();
  const dialog = page.getByRole("dialog", { name: "Void the labels of PO # 80006?" });
  await expect(dialog).toContainText("already has the ship notice");
  await expect(dialog).toContainText(
    /say that the shipment’s tracking number is void|tracking number is void/,
  );
  await expectNoBarrier(page, "a void after the notice");
  await dialog.getByRole("button", { name: "Keep" }).click();
  await page.getByRole("tab", { name: /UPS Labels$/ }).click();
  const answers = [answerTo(controls.get("80006") ?? "", "A"), answerTo(controls.get("80007") ?? "", "R")];
  await page.getByLabel("File of orders").setInputFiles({
    name: "answers.edi",
    mimeType: "",
    buffer: Buffer.from(
      sampleFile({ sets: answers, group: "GS*FA*RETAILER*SUPPLIER*20261126*0915*5*X*004060" }),
    ),
  });
  await expect(page.getByRole("group", { name: "Orders of answers.edi" })).toContainText(
    "2 answers to notices read",
  );
  await page.getByRole("tab", { name: "History" }).click();
  await expect(row(page, "80006")).toContainText("Ship notice accepted");
  await expect(row(page, "80007")).toContainText(/Ship notice rejected .*\(Document: error 5\.\)/);
  await expect(row(page, "80008")).toContainText("Ship notice sent");
  await expectNoBarrier(page, "History with answered notices");
});

test("LB-08 LB-09 the carrier tab and History request their data only while open", async ({ openAs }) => {
  const page = await openAs("owner");
  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith("/api/v1/labels")) asked.push(pathname);
  });
  const collect = async (path: string) => {
    asked.length = 0;
    await openPath(page, path);
    await allAsked(page);
    return [...new Set(asked)];
  };
  expect(await collect(TAB)).toEqual(["/api/v1/labels/open-orders"]);
  expect(await collect(HISTORY)).toEqual(["/api/v1/labels/ups-label"]);
  expect((await collect("/label/")).filter((path) => /open-orders|ups-label/.test(path))).toEqual([]);
});
