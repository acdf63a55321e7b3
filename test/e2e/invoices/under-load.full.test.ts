import type { Page } from "@playwright/test";
import { driveIntuit, holdCalls } from "../../support/intuit.ts";
import { answerRows } from "../../support/many-rows.ts";
import { expect, test } from "../product.ts";
import { bar, expectAbout, findMoment, watchBar, watchBarTimes } from "../support/bar.ts";
import { watchAnnouncements } from "../support/announcements.ts";
import { moveUntil, pause } from "../support/clock.ts";
import { openPath } from "../support/visit.ts";
import {
  choose,
  holdAnswers,
  openUpload,
  slowLine,
  uploadButton,
  withPicture,
  workbook,
  XLSX,
} from "../support/workbooks.ts";

// One test fills the company's queue for the next.
test.describe.configure({ mode: "serial" });

const ACME = "9130357849016936";
const ROWS = 10_000;

test("PG-01 PG-02 PG-04 PG-05 PG-06 PG-07 PG-09 PG-12 QC-13 on a slow machine, with 10,000 rows polled every two seconds, the bar keeps its steps and its times", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  await answerRows(page, ROWS, { inProcess: true });
  await page.clock.install();
  await openPath(page, "/app/");
  await openUpload(page);
  await slowMachine(page, 6);
  let looks = 0;
  page.on("request", (request) => (looks += request.url().includes("/invoices?") ? 1 : 0));
  const seen = await watchBarTimes(page);
  const announced = await watchAnnouncements(page);
  const answer = await holdAnswers(page);
  await choose(page, "busy.xlsx", await workbook(["PG-LOAD"]));
  await pause(page);
  await uploadButton(page).click();
  await expect(bar(page)).toHaveAttribute("aria-valuenow", "50");
  await moveUntil(page, async () => (await bar(page).getAttribute("aria-valuenow")) === "51", 100);
  await answer();
  await expect(bar(page)).toHaveAttribute("aria-valuenow", "100");
  await moveUntil(page, async () => (await bar(page).count()) === 0, 100);
  await moveUntil(page, async () => looks > 2, 100);
  await page.clock.resume();
  await expect.poll(announced).toEqual(expect.arrayContaining(["Processing", "Upload complete"]));
  const moments = await seen();
  const at = findMoment(moments);
  expectAbout(at("50 Proc") - at("50 Uploading"), 250, { earlyMs: 1, lateMs: 900 });
  expectAbout(at("51") - at("50 Proc"), 2000, { earlyMs: 1, lateMs: 900 });
  expectAbout(at("-1") - at("100"), 500, { earlyMs: 1, lateMs: 900 });
  const values = moments.map(([value]) => value).filter((value) => value >= 0);
  expect(values).toEqual(values.toSorted((a, b) => a - b));
});

test("SC-00 SC-02 SC-100 SC-101 SC-202 UP-33 an upload after a workbook of 10,000 rows is shown as queued, working and completed, each in its color", async ({
  product,
  openAs,
}) => {
  const page = await openAs("owner");
  const intuit = driveIntuit(product.intuitUrl);
  const [reading, posting] = [
    await holdCalls(intuit, { operation: "query" }),
    await holdCalls(intuit, { operation: "invoice.create" }),
  ];
  try {
    await openPath(page, "/app/");
    await slowMachine(page, 4);
    const countLooks = await watchLooks(page);
    const numbers = Array.from({ length: ROWS }, (_, index) => `SC-${index}`);
    await uploadElsewhere(await openAs("clerk"), {
      origin: product.url,
      name: "large.xlsx",
      buffer: await workbook(numbers, "Nobody Trading"),
    });
    await expect(page.getByRole("article", { name: "large.xlsx" })).toBeVisible();
    await choose(page, "behind.xlsx", await workbook(["SC-BEHIND"]));
    await uploadButton(page).click();
    for (const name of ["behind.xlsx", "large.xlsx"]) await openUpload(page, name);
    const looks = ["Queued green", "Working green", "Completed gray"];
    await expect.poll(() => countLooks("behind.xlsx")).toEqual(looks.slice(0, 1));
    await reading.release();
    await posting.hit();
    await expect.poll(() => countLooks("behind.xlsx")).toEqual(looks.slice(0, 2));
    await posting.release();
    await expect.poll(() => countLooks("behind.xlsx")).toEqual(looks);
    expect((await countLooks("large.xlsx")).at(-1)).toBe("Template Data Error red");
    await expect(
      page.getByRole("article", { name: "behind.xlsx" }).getByRole("row", { name: /Queued|Working/ }),
    ).toHaveCount(0);
  } finally {
    await intuit.control("faults", undefined, "DELETE");
  }
});

test("PG-03 PG-08 PG-10 PG-11 on a slow machine the bar shows half of what is sent, never fills by itself, fills at once when the work ends, and disappears at once when it fails", async ({
  openAs,
}) => {
  test.setTimeout(240_000);
  const page = await openAs("owner");
  await answerRows(page, ROWS);
  await page.clock.install();
  await openPath(page, "/app/");
  await openUpload(page);
  await slowMachine(page, 6);
  const seen = await watchBarTimes(page);
  // The answer waits, or a fast server may give it before the page has drawn the half.
  const setLine = await slowLine(page, { upload: 200_000, latencyMs: 24 * 3_600_000 });
  await choose(page, "half.xlsx", withPicture(await workbook(["PG-HALF"]), 600_000));
  await uploadButton(page).click();
  // With the bytes alone it reaches half.
  await expect
    .poll(async () => (await seen()).some(([value]) => value === 50), { timeout: 60_000 })
    .toBe(true);
  await setLine({ upload: -1 });
  await expect(bar(page)).toHaveCount(0);
  const sent = await seen();
  expect(sent.filter(([value]) => value > 0 && value < 50).length).toBeGreaterThan(0);
  // A busy server may take long: then it moves by one every two seconds.
  const [, processingAt = 0] = sent.find(([, , label]) => label.startsWith("Processing")) ?? [];
  const tooFull = sent.filter(([value, at]) => value < 100 && value > 51 + (at - processingAt) / 2_000);
  expect(tooFull).toEqual([]);

  const answer = await holdAnswers(page);
  await choose(page, "long.xlsx", await workbook(["PG-LONG"]));
  await pause(page);
  await uploadButton(page).click();
  await expect(bar(page)).toHaveAttribute("aria-valuenow", "50");
  await moveUntil(page, async () => (await bar(page).getAttribute("aria-valuenow")) === "99", 1_000);
  await page.clock.runFor(60_000);
  await expect(bar(page)).toHaveAttribute("aria-valuenow", "99");
  await answer();
  await expect(bar(page)).toHaveAttribute("aria-valuenow", "100");
  await moveUntil(page, async () => (await bar(page).count()) === 0, 100);
  await page.clock.resume();

  await page.route("**/api/v1/invoices?*", (route) =>
    route.request().method() === "POST"
      ? route.fulfill({ status: 400, json: { detail: "The file could not be kept." } })
      : route.fallback(),
  );
  const failed = await watchBar(page);
  await choose(page, "fails.xlsx", await workbook(["PG-FAILS"]));
  await uploadButton(page).click();
  await expect(page.getByText("The file could not be kept.")).toBeVisible();
  await expect(bar(page)).toHaveCount(0);
  expect((await failed()).filter((value) => value === 100)).toEqual([]);
});

async function slowMachine(page: Page, rate: number): Promise<void> {
  const protocol = await page.context().newCDPSession(page);
  await protocol.send("Emulation.setCPUThrottlingRate", { rate });
}

/**
 * Records the statuses and colors in which the rows of each upload are shown.
 * @returns a function that returns those of one upload, in order of first appearance
 */
async function watchLooks(page: Page) {
  await page.evaluate(() => {
    const looks: Record<string, string[]> = {};
    Object.assign(window, { looks });
    const look = () => {
      for (const article of document.querySelectorAll("article")) {
        const name = article.querySelector("strong")?.textContent ?? "";
        for (const row of article.querySelectorAll<HTMLElement>("[data-tone]")) {
          const word = row.querySelector("[role=cell]:nth-child(2)")?.lastChild?.textContent ?? "";
          const seen = (looks[name] ??= []);
          const text = `${word} ${row.dataset["tone"]}`;
          if (!seen.includes(text)) seen.push(text);
        }
      }
    };
    new MutationObserver(look).observe(document.body, {
      subtree: true,
      childList: true,
      attributes: true,
      characterData: true,
    });
  });
  return (name: string) =>
    page.evaluate((of) => (window as never as { looks: Record<string, string[]> }).looks[of] ?? [], name);
}

type Elsewhere = { origin: string; name: string; buffer: Buffer };

/** Uploads to Acme Tools from another browser. */
async function uploadElsewhere(page: Page, { origin, name, buffer }: Elsewhere): Promise<void> {
  const answer = await page.request.post(`/api/v1/invoices?realm_id=${ACME}`, {
    headers: { origin },
    multipart: { file: { name, mimeType: XLSX, buffer } },
  });
  expect(answer.status()).toBe(202);
}
