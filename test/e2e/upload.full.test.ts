import type { Page } from "@playwright/test";
import { driveIntuit, holdCalls } from "../support/intuit.ts";
import { expect, test } from "./product.ts";
import { bar, expectAbout, findMoment, watchBar, watchBarTimes } from "./support/bar.ts";
import { moveUntil, pause } from "./support/clock.ts";
import { watchAnnouncements } from "./support/announcements.ts";
import { allAsked, openPath } from "./support/visit.ts";
import {
  choose,
  holdAnswers,
  openUpload,
  picker,
  slowLine,
  uploadButton,
  withPicture,
  workbook,
  XLSX,
} from "./support/workbooks.ts";

test.describe.configure({ mode: "parallel" });

const ACME = "9130357849016936";
const MB = 1024 * 1024;

test("UP-01 UP-02 UP-04 UP-05 UP-06 UP-09 UP-10 QC-18 the page is titled Upload, shows the connection, and asks for xlsx", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  await openPath(page, "/app/");
  await expect(page).toHaveTitle("Upload · Dockside");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Dockside Upload");
  const connection = page.getByRole("main");
  await expect(connection).toContainText(
    "You are connected to Acme Tools with the Invoice Upload service. Manage your connection in Settings.",
  );
  await expect(
    connection.getByText("Turn on Tracking Service in Settings to keep your invoices up to date."),
  ).toBeVisible();
  await expect(connection.getByRole("link", { name: "Manage your connection in Settings." })).toHaveAttribute(
    "href",
    "/settings/",
  );
  await expect(picker(page)).toHaveAttribute("accept", XLSX);
  await expect(picker(page)).toHaveAttribute("type", "file");
});

test("UP-11 UP-24 a file that is not a workbook, empty or larger than 25 MB is refused in the browser, and nothing is sent", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  const sent = sentPosts(page);
  await openPath(page, "/app/");
  const box = page.getByRole("alert").filter({ hasText: "Upload Error" });
  for (const [name, type, size, sentence] of [
    ["notes.txt", "text/plain", 10, "The selected file must be an XLSX spreadsheet."],
    ["empty.xlsx", XLSX, 0, "The selected file is empty."],
    ["huge.xlsx", XLSX, 25 * MB + 1, "The selected file must be smaller than 25 MB."],
  ] as const) {
    await choose(page, name, Buffer.alloc(size, 65), type);
    await expect(box).toContainText(sentence);
    await expect(uploadButton(page)).toBeDisabled();
  }
  expect(sent).toEqual([]);
});

test("UP-12 UP-13 UP-18 UP-20 UP-21 PG-02 a chosen file is named, sent completely as the field file, and then the choice is cleared", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  const bytes = await workbook(["UP-18"]);
  await noteForms(page);
  await openPath(page, "/app/");
  await expect(uploadButton(page)).toBeDisabled();
  await expect(bar(page)).toHaveCount(0);
  await choose(page, "march.xlsx", bytes);
  await expect(page.getByText("march.xlsx")).toBeVisible();
  await expect(uploadButton(page)).toBeEnabled();
  const calls: string[] = [];
  page.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname === "/api/v1/invoices") calls.push(`${request.method()} ${search}`);
  });
  await uploadButton(page).click();
  await expect(page.getByRole("article", { name: "march.xlsx" })).toBeVisible();
  expect(await sentParts(page)).toEqual([["file", "march.xlsx", XLSX, [...bytes]]]);
  expect(calls.slice(0, 2)).toEqual([`POST ?realm_id=${ACME}`, `GET ?realm_id=${ACME}&limit=20`]);
  await expect(page.getByText("Drop your spreadsheet here")).toBeVisible();
  await expect(uploadButton(page)).toBeDisabled();
  await expect(bar(page)).toHaveCount(0);
  await choose(page, "march.xlsx", bytes);
  await expect(uploadButton(page)).toBeEnabled();
});

test("UP-16 ER-01 UP-22 UP-24 a refused file stays chosen under Upload Error, without a bar, and a fixed one clears the error", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  await openPath(page, "/app/");
  const full = await watchBar(page);
  await choose(page, "text.xlsx", Buffer.from("Invoice No,Customer"));
  await uploadButton(page).click();
  const box = page.getByRole("alert").filter({ hasText: "Upload Error" });
  await expect(box).toContainText(/\.$/);
  await expect(page.getByText("text.xlsx", { exact: true })).toBeVisible();
  await expect(uploadButton(page)).toBeEnabled();
  await expect(bar(page)).toHaveCount(0);
  expect(await full()).not.toContain(100);
  await choose(page, "fixed.xlsx", await workbook(["UP-22"]));
  await expect(box).toHaveCount(0);
  await uploadButton(page).click();
  await expect(page.getByRole("article", { name: "fixed.xlsx" })).toBeVisible();
});

test("UP-16 UP-22 ER-23 QC-10 offline an upload fails at once with a message, and nothing is sent by itself when back online", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  const sent = sentPosts(page);
  await openPath(page, "/app/");
  await choose(page, "offline.xlsx", await workbook(["UP-22-OFF"]));
  await page.context().setOffline(true);
  await uploadButton(page).click();
  const box = page.getByRole("alert").filter({ hasText: "Upload Error" });
  await expect(box).toContainText("Network Error");
  await expect(page.getByText("offline.xlsx", { exact: true })).toBeVisible();
  sent.length = 0;
  await page.context().setOffline(false);
  await allAsked(page);
  expect(sent).toEqual([]);
  await uploadButton(page).click();
  await expect(page.getByRole("article", { name: "offline.xlsx" })).toBeVisible();
  expect(sent).toHaveLength(1);
});

test("UP-17 UP-19 PG-02 PG-12 on a slow connection the bar rises with the bytes sent, and its steps are announced", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  await openPath(page, "/app/");
  const shown = await watchBar(page);
  const announced = await watchAnnouncements(page);
  await slowLine(page, { upload: 1.5 * MB });
  await expect(bar(page)).toHaveCount(0);
  await choose(page, "slow.xlsx", withPicture(await workbook(["UP-19"]), 10 * MB));
  await uploadButton(page).click();
  await expect(bar(page)).toHaveAttribute("aria-label", "Uploading slow.xlsx");
  await expect(page.getByRole("article", { name: "slow.xlsx" })).toBeVisible();
  await expect(bar(page)).toHaveCount(0);
  const values = await shown();
  const uploading = values.filter((value) => value < 50);
  expect(new Set(uploading).size).toBeGreaterThan(10);
  expect(values).toEqual(values.toSorted((a, b) => a - b));
  expect(values.at(-1)).toBe(100);
  // An upload of an earlier test may finish meanwhile.
  const ofThisOne = (await announced()).filter((text) => !/^(?!slow\.xlsx).* finished: /.test(text));
  expect(ofThisOne.slice(0, 4)).toEqual(["Uploading slow.xlsx", "25 percent", "50 percent", "75 percent"]);
});

test("PG-04 PG-05 PG-06 PG-07 PG-12 QC-13 while waiting for the response the bar creeps a point a second; it is full for half a second, then gone", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  await page.clock.install();
  await openPath(page, "/app/");
  const seen = await watchBarTimes(page);
  const announced = await watchAnnouncements(page);
  const answer = await holdAnswers(page);
  await choose(page, "creep.xlsx", await workbook(["PG-04"]));
  await pause(page);
  await uploadButton(page).click();
  await expect(bar(page)).toHaveAttribute("aria-valuenow", "50");
  const look = async () =>
    `${await bar(page).getAttribute("aria-valuenow")} ${await bar(page).getAttribute("aria-label")}`;
  expect(await look()).toBe("50 Uploading creep.xlsx");
  await moveUntil(page, async () => (await look()) === "50 Processing creep.xlsx");
  await moveUntil(page, async () => (await look()) === "51 Processing creep.xlsx");
  await answer();
  await expect(bar(page)).toHaveAttribute("aria-valuenow", "100");
  await moveUntil(page, async () => (await bar(page).count()) === 0);
  const at = findMoment(await seen());
  expectAbout(at("50 Proc") - at("50 Uploading"), 250, { earlyMs: 1, lateMs: 300 });
  expectAbout(at("51") - at("50 Proc"), 2000, { earlyMs: 1, lateMs: 300 });
  expectAbout(at("-1") - at("100"), 500, { earlyMs: 1, lateMs: 300 });
  await page.clock.resume();
  await expect.poll(announced).toEqual(expect.arrayContaining(["Processing", "Upload complete"]));
});

test("PG-09 the bar is gone once the upload is accepted, while its job continues in the list", async ({
  product,
  openAs,
}) => {
  const page = await openAs("owner");
  await openPath(page, "/app/");
  const upload = page.getByRole("article", { name: "job.xlsx" });
  const posting = await holdCalls(driveIntuit(product.intuitUrl), { operation: "invoice.create" });
  try {
    await choose(page, "job.xlsx", await workbook(["PG-09"]));
    await uploadButton(page).click();
    await posting.hit();
    await expect(bar(page)).toHaveCount(0);
    await openUpload(page, "job.xlsx");
    await expect(upload.getByText("Working", { exact: true }).first()).toBeVisible();
  } finally {
    await posting.release();
  }
  await expect(upload.getByText("1 invoice posted.")).toBeVisible();
});

test("PG-14 with reduced motion the bar changes its width without animation", async ({ openAs }) => {
  for (const [reducedMotion, duration] of [
    ["reduce", "0s"],
    ["no-preference", "0.18s"],
  ] as const) {
    const page = await openAs("owner", { reducedMotion });
    await openPath(page, "/app/");
    await slowLine(page, { upload: 1 });
    await choose(page, `motion-${reducedMotion}.xlsx`, withPicture(await workbook(["PG-14"]), 100_000));
    await uploadButton(page).click();
    await expect(bar(page).locator("div")).toHaveCSS("transition-duration", duration);
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    await page.context().close();
  }
});

test("UP-25 while one file is sent no other can be chosen, and Cancel stops it before the server accepts it", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  await openPath(page, "/app/");
  await slowLine(page, { upload: 1 });
  await choose(page, "cancelled.xlsx", withPicture(await workbook(["UP-25"]), 100_000));
  await uploadButton(page).click();
  await expect(bar(page)).toBeVisible();
  await expect(picker(page)).toBeDisabled();
  await expect(page.getByRole("button", { name: "Change file" })).toBeDisabled();
  await expect(uploadButton(page)).toBeDisabled();
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  await expect(page.getByText("Upload canceled.").first()).toBeVisible();
  await expect(bar(page)).toHaveCount(0);
  await expect(page.getByRole("alert").filter({ hasText: "Upload Error" })).toHaveCount(0);
  await expect(picker(page)).toBeEnabled();
  await expect(uploadButton(page)).toBeEnabled();
  await openPath(page, "/app/");
  await expect(page.getByRole("article", { name: "cancelled.xlsx" })).toHaveCount(0);
});

test("UP-25 canceling after all bytes are sent says that the file may be accepted, and it appears in the list", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  await openPath(page, "/app/");
  const answer = await holdAnswers(page);
  await choose(page, "late.xlsx", await workbook(["UP-25-L"]));
  await uploadButton(page).click();
  await expect(bar(page)).toHaveAttribute("aria-label", "Processing late.xlsx");
  const list = async () => (await page.request.get(`/api/v1/invoices?realm_id=${ACME}`)).text();
  await expect.poll(list).toContain("late.xlsx");
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  await answer();
  await expect(
    page
      .getByRole("region", { name: "Upload" })
      .getByText(
        "Canceled, but we had already received all of late.xlsx, so it may still be uploaded. Look for it in Results before you upload it again.",
      ),
  ).toBeVisible();
  await expect(page.getByText("Upload canceled.")).toHaveCount(0);
  await expect(page.getByRole("article", { name: "late.xlsx" })).toBeVisible();
});

test("UP-26 leaving the page asks for confirmation while bytes are sent, and not after", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  const asked: string[] = [];
  page.on("dialog", (dialog) => {
    asked.push(dialog.type());
    void dialog.dismiss();
  });
  await openPath(page, "/app/");
  const setLine = await slowLine(page, { upload: 1 });
  await choose(page, "leave.xlsx", withPicture(await workbook(["UP-26"]), 100_000));
  await uploadButton(page).click();
  await expect(bar(page)).toBeVisible();
  await page.close({ runBeforeUnload: true });
  await expect.poll(() => asked).toEqual(["beforeunload"]);
  await setLine({ upload: -1 });
  await expect(page.getByRole("article", { name: "leave.xlsx" })).toBeVisible();
  await expect(bar(page)).toHaveCount(0);
  const closed = page.waitForEvent("close");
  await page.close({ runBeforeUnload: true });
  await closed;
  expect(asked).toEqual(["beforeunload"]);
});

test("UP-26 leaving asks for no confirmation once all bytes are sent, though the response is still awaited", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  const asked: string[] = [];
  page.on("dialog", (dialog) => {
    asked.push(dialog.type());
    void dialog.accept();
  });
  await openPath(page, "/app/");
  await holdAnswers(page);
  await choose(page, "sent.xlsx", await workbook(["UP-26-S"]));
  await uploadButton(page).click();
  await expect(bar(page)).toHaveAttribute("aria-label", "Processing sent.xlsx");
  const closed = page.waitForEvent("close");
  await page.close({ runBeforeUnload: true });
  await closed;
  expect(asked).toEqual([]);
});

test("UP-26 leaving asks for confirmation on every page of the app while bytes are sent", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  const asked = page.waitForEvent("dialog");
  await openPath(page, "/app/");
  await slowLine(page, { upload: 1 });
  await choose(page, "elsewhere.xlsx", withPicture(await workbook(["UP-26-E"]), 100_000));
  await uploadButton(page).click();
  await expect(bar(page)).toBeVisible();
  await page.getByRole("link", { name: "Excel Add-In" }).click();
  await expect(page.locator("h1")).toHaveText("Excel Add-In");
  await page.close({ runBeforeUnload: true });
  const dialog = await asked;
  expect(dialog.type()).toBe("beforeunload");
  const closed = page.waitForEvent("close");
  await dialog.accept();
  await closed;
});

test("UP-07 UP-08 UP-23 without a company nothing can be sent, and a link to connect one is shown", async ({
  openAs,
}) => {
  const page = await openAs("nocompany");
  const calls: string[] = [];
  page.on("request", (request) => calls.push(new URL(request.url()).pathname));
  await openPath(page, "/app/");
  await expect(page.getByText("You have no active company connections.")).toBeVisible();
  const connect = page.getByRole("main").getByRole("link", { name: /^Connect/ });
  await expect(connect).toHaveAttribute("href", "/get-app/");
  await expect(page.getByText("Connect a company first.")).toBeVisible();
  await expect(picker(page)).toBeDisabled();
  await expect(uploadButton(page)).toBeDisabled();
  await expect(page.getByRole("link", { name: "Download template" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Results" })).toContainText(
    "Uploads to a connected company are listed here.",
  );
  expect(calls).not.toContain("/api/v1/invoices");
});

/** Lets a page note the parts of the forms it sends: the browser's own record of a request leaves files out. */
const noteForms = (page: Page) =>
  page.addInitScript(() => {
    const send = XMLHttpRequest.prototype.send;
    XMLHttpRequest.prototype.send = function (body) {
      if (body instanceof FormData) Object.assign(window, { sentForm: body });
      send.call(this, body as XMLHttpRequestBodyInit);
    };
  });

/** Name, file name, type and bytes of each part of the form sent last. */
const sentParts = (page: Page) =>
  page.evaluate(() =>
    Promise.all(
      [...(window as never as { sentForm: FormData }).sentForm].map(async ([name, file]) =>
        file instanceof File
          ? [name, file.name, file.type, [...new Uint8Array(await file.arrayBuffer())]]
          : [name, file],
      ),
    ),
  );

function sentPosts(page: Page): string[] {
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().includes("/invoices")) sent.push(request.url());
  });
  return sent;
}
