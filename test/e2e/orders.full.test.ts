import { readFile } from "node:fs/promises";
import { changeNoticeSettings, readNoticeSettings } from "#features/orders/notices-out/contract.ts";
import { sampleFile, sampleOrder } from "#formats/x12/fixtures/sample-orders.ts";
import { driveUps } from "../support/ups.ts";
import { expect, test } from "./product.ts";
import { expectAccessible } from "./support/barriers.ts";
import { allAsked, openPath } from "./support/visit.ts";
import {
  TAB,
  HISTORY,
  order,
  row,
  weight,
  generate,
  signInAdmin,
  connectUps,
  add,
  changed,
} from "./support/orders.ts";
import { grantTracking } from "./support/services.ts";

/** The tests share one company and follow each other. */
test.describe.configure({ mode: "serial" });

const SHIP_FROM = {
  name: "Acme Tools",
  phone: "",
  line: "9 Wharf Road",
  city: "Portland",
  state: "OR",
  zip: "97209",
};

test("labels are generated for one of four uploaded orders; later tests rely on them", async ({
  openAs,
  product,
}) => {
  await grantTracking(product);
  await connectUps(product, SHIP_FROM);
  const page = await openAs("owner");
  await openPath(page, TAB);
  await add(page, [sampleOrder(1), sampleOrder(2), sampleOrder(3), sampleOrder(4)]);
  await generate(order(page, "80001")).click();
  await expect(order(page, "80001").getByRole("group", { name: /^Labels ready/ })).toBeVisible();
});

test("SR-01 SR-09 SR-10 CR-15 CR-17 CR-20 OI-16 each of several orders has its own outcome, and focus goes to their print button; UPS's address replaces a refused one, and its labels follow at once", async ({
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
  await expect(result).toContainText("1 of 2 ready · 1 needs attention: PO # 80005");
  await expect(result.getByRole("button", { name: /^Print label/ })).toBeFocused();
  // This result replaced that of the file, and links to the order.
  await expect(page.getByRole("group", { name: /^Orders of / })).toHaveCount(0);
  await result.getByRole("button", { name: "PO # 80005" }).click();
  await expect(order(page, "80005").getByRole("button", { name: /^Use UPS's address/ })).toBeFocused();
  await expect(order(page, "80002").getByRole("group", { name: /^Labels ready/ })).toBeVisible();
  const saving = page.waitForEvent("download");
  await result.getByRole("button", { name: /^Download UPS labels/ }).click();
  expect((await saving).suggestedFilename()).toBe("labels.pdf");
  const failed = order(page, "80005");
  await expect(failed.getByRole("alert", { name: "Upload Error" })).toContainText(
    "UPS doesn't recognize 12 Main Street, Apartment 4, Reno, NV 10001. It may be 12 MAIN ST APT 4, RENO, NV 89506",
  );
  await expectAccessible(page, "outcomes of a batch");
  const again = page.waitForEvent("download");
  await failed.getByRole("button", { name: /^Use UPS's address/ }).click();
  expect((await again).suggestedFilename()).toBe("80005-labels.pdf");
  await expect(failed.getByRole("button", { name: /^Print label and slip/ })).toBeFocused();
});

test("CR-05 CR-23 CR-24 CR-25 CR-26 CR-27 CR-28 CR-29 an order is canceled, the cancellation undone, canceled again and restored", async ({
  openAs,
}) => {
  const page = await openAs("owner", { timezoneId: "America/New_York" });
  await openPath(page, TAB);
  const requests: string[] = [];
  page.on("request", (request) => (request.method() === "DELETE" ? requests.push(request.url()) : 0));
  await expect(page.getByRole("heading", { name: /^Cancelled/ })).toHaveCount(0);
  await order(page, "80003")
    .getByRole("button", { name: /^\[ Cancel Order \]/ })
    .click();
  const stub = page.getByRole("article", { name: "PO # 80003 is canceled." });
  await expect(page.getByRole("heading", { name: /^Cancelled .+ Orders$/ })).toBeVisible();
  const cancelled = page.getByRole("row", { name: /^80003 Jane Doe Cancelled at / });
  await expect(cancelled).toBeVisible();
  expect(new URL(requests[0] ?? "").search).toMatch(
    /^\?customer=retailer&po_number=80003&order_id=[\da-f-]{36}$/,
  );
  await stub.getByRole("button", { name: /^Undo/ }).click();
  await expect(order(page, "80003")).toBeVisible();
  await expect(cancelled).toHaveCount(0);
  await order(page, "80003")
    .getByRole("button", { name: /^\[ Cancel Order \]/ })
    .click();
  await expectAccessible(page, "a canceled order");
  await cancelled.getByRole("button", { name: /^Restore/ }).click();
  await expect(cancelled).toHaveCount(0);
  await expect(order(page, "80003")).toBeVisible();
});

test("CR-33 LB-12 typed cartons survive other tabs; an order finished by another user says so", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  await openPath(page, TAB);
  await weight(order(page, "80003")).fill("7");
  await weight(order(page, "80004")).fill("8");
  await page.getByRole("tab", { name: "History" }).click();
  await expect(row(page, "80001")).toBeVisible();
  await page.getByRole("tab", { name: "Home Improvement" }).click();
  await expect(weight(order(page, "80003"))).toHaveValue("7");
  await page.reload();
  await expect(weight(order(page, "80004"))).toHaveValue("8");
  const other = await openAs("owner");
  await openPath(other, TAB);
  await generate(order(other, "80004")).click();
  await expect(order(other, "80004").getByRole("group", { name: /^Labels ready/ })).toBeVisible();
  await add(page, [sampleOrder(3)]);
  await expect(order(page, "80004")).toContainText("This order is no longer open.");
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
  await expect(third).toContainText("Quantity of line 1: 2 in the current order, 4 in the new one");
  await expect(generate(third)).toHaveCount(0);
  await page.getByRole("button", { name: /^Need attention/ }).click();
  await expect(page.getByRole("article")).toHaveCount(1);
  await expectAccessible(page, "an order that waits");
  await third.getByRole("button", { name: /^Use the new one/ }).click();
  await page.getByRole("button", { name: /^Open/ }).click();
  await expect(generate(third)).toBeEnabled();
  await add(page, [changed(3, "BEG*00", "BEG*01")], "cancellation.edi");
  await expect(page.getByRole("group", { name: "Orders of cancellation.edi" })).toContainText(
    "1 canceled by the retailer",
  );
  await expect(page.getByRole("row", { name: /^80003 Jane Doe Cancelled at/ })).toBeVisible();
});

test("OI-02 a sheet of orders with unknown columns asks the user to match them, then is imported", async ({
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

test("HI-10 the reason that UPS refuses a void is shown below its button, without shifting the columns", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  await openPath(page, HISTORY);
  const detail =
    "UPS says: No shipment found within the allowed void period (190102). The labels are still valid.";
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
const acknowledge = (control: string, status: "A" | "R") => {
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

test("OI-14 OI-15 a notice is sent at the cutoff; History shows the retailer's answer, and a void afterwards warns first", async ({
  openAs,
  product,
}) => {
  test.setTimeout(300_000);
  const admin = await signInAdmin(product);
  // UPS voids no label that it has scanned, and a scan would let the notice leave at once.
  await driveUps(product.upsUrl).control("settings", { scenario: "never_scanned" }, "PATCH");
  const { time_zone: timeZone } = (await admin.call(readNoticeSettings)).json() as { time_zone: string };
  // The earliest usable cutoff: the next full minute after the labels are made.
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
    await expect(row(page, po)).toContainText(/Ship notice will be sent \w{3} \d+, \d+:\d\d [AP]M/);
  await page.getByRole("tab", { name: "Home Improvement" }).click();
  const due = page.getByRole("group", { name: /^\d+ notices for/ });
  await expect(due).toBeVisible({ timeout: 150_000 });
  await expectAccessible(page, "notices that are due");
  const saving = page.waitForEvent("download");
  await due.getByRole("button", { name: "Download notices" }).click();
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
  // Orders that earlier tests shipped have due notices, too.
  expect([...controls.keys()]).toEqual(expect.arrayContaining(["80006", "80007", "80008"]));
  await page.getByRole("tab", { name: "History" }).click();
  for (const po of ["80006", "80007", "80008"]) await expect(row(page, po)).toContainText("Ship notice sent");
  const ask = row(page, "80006").getByRole("button", { name: /^Void Label\(s\)/ });
  await ask.click();
  const dialog = page.getByRole("dialog", { name: "Void the labels of PO # 80006?" });
  await expect(dialog).toContainText("already has the ship notice");
  await expect(dialog).toContainText(/tracking number is void/);
  await expectAccessible(page, "a void after the notice");
  await dialog.getByRole("button", { name: "Keep" }).click();
  await page.getByRole("tab", { name: "Home Improvement" }).click();
  const answers = [
    acknowledge(controls.get("80006") ?? "", "A"),
    acknowledge(controls.get("80007") ?? "", "R"),
  ];
  await page.getByLabel("File of orders").setInputFiles({
    name: "answers.edi",
    mimeType: "",
    buffer: Buffer.from(
      sampleFile({ sets: answers, group: "GS*FA*RETAILER*SUPPLIER*20261126*0915*5*X*004060" }),
    ),
  });
  await expect(page.getByRole("group", { name: "Orders of answers.edi" })).toContainText(
    "2 replies from the retailer",
  );
  await page.getByRole("tab", { name: "History" }).click();
  await expect(row(page, "80006")).toContainText("Ship notice accepted");
  await expect(row(page, "80007")).toContainText(
    /Ship notice rejected .*\(Document: segments have errors \(error 5\)\.\)/,
  );
  await expect(row(page, "80008")).toContainText("Ship notice sent");
  await expectAccessible(page, "History with answered notices");
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
