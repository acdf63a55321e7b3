import type { Page } from "@playwright/test";
import { everyStatus, sampleList, sampleUpload } from "#features/invoices/web/fixtures/uploads.ts";
import { groupResults } from "#features/invoices/web/results/rules.ts";
import type { Product } from "../support/run-product.ts";
import { expect, test } from "./product.ts";
import { moveUntil, pause } from "./support/clock.ts";
import { allAsked, openPath } from "./support/visit.ts";
import { choose, openUpload, uploadButton, workbook, XLSX } from "./support/workbooks.ts";

test.describe.configure({ mode: "parallel" });

const ACME = "9130357849016936";
const BAY = "9130357849016944";
const LIST = "**/api/v1/invoices?*";

test("UP-36 UP-37 QC-12 the list is polled every 2000 ms while something is in process, and not after", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  const list = await steerList(page);
  list.inProcess = true;
  await pausedAt(page, "/app/");
  await untilAsked(page, list);
  const before = list.asked();
  for (let step = 1; step <= 4; step++) {
    await page.clock.runFor(1900);
    await allAsked(page);
    expect(list.asked()).toBe(before + step - 1);
    await tick(page, list, 100);
  }
  list.inProcess = false;
  await tick(page, list, 2000);
  expect(list.asked()).toBe(before + 5);
  await page.clock.runFor(30_000);
  await allAsked(page);
  expect(list.asked()).toBe(before + 5);
});

test("UP-38 a hidden tab does not poll, and polls at once when it is visible", async ({ openAs }) => {
  const page = await openAs("owner");
  const list = await steerList(page);
  list.inProcess = true;
  await pausedAt(page, "/app/");
  await untilAsked(page, list);
  await tick(page, list, 2000);
  const before = list.asked();
  await turnTab(page, "hidden");
  await page.clock.runFor(20_000);
  await allAsked(page);
  expect(list.asked()).toBe(before);
  await turnTab(page, "visible");
  await expect.poll(() => list.asked()).toBe(before + 1);
});

test("QC-05 a tab that becomes visible requests nothing when nothing is in process, and focus alone never does", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  const list = await steerList(page);
  await openPath(page, "/app/");
  const before = list.asked();
  await turnTab(page, "hidden");
  await turnTab(page, "visible");
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await allAsked(page);
  expect(list.asked()).toBe(before);

  const polled = await openAs("owner");
  const polledList = await steerList(polled);
  polledList.inProcess = true;
  await pausedAt(polled, "/app/");
  await untilAsked(polled, polledList);
  const asked = polledList.asked();
  await polled.evaluate(() => window.dispatchEvent(new Event("focus")));
  await allAsked(polled);
  expect(polledList.asked()).toBe(asked);
});

test("QC-04 offline the list keeps its rows, and it is requested again when back online", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  const list = await steerList(page);
  await openPath(page, "/app/");
  await page.clock.install();
  await page.context().setOffline(true);
  await page.clock.fastForward(16 * 60_000);
  const before = list.asked();
  await expect(page.getByRole("heading", { name: "Results" })).toBeVisible();
  await page.context().setOffline(false);
  await expect.poll(() => list.asked()).toBeGreaterThan(before);
});

test("QC-04 QC-09 ER-23 a list requested offline says so, and loads by itself when back online", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  await openPath(page, "/app/");
  await page.context().setOffline(true);
  await page.getByRole("banner").getByRole("combobox", { name: "Company" }).selectOption("Bay Supply");
  const failure = page.getByRole("region", { name: "Results" }).getByText("Network Error");
  await expect(failure).toBeVisible();
  await page.context().setOffline(false);
  await expect(failure).toHaveCount(0);
  await expect(page.getByText("No recent uploads to this company.")).toBeVisible();
});

test("QC-22 another browser's upload appears at once by push; without push, polling continues as before", async ({
  product,
  openAs,
}) => {
  const page = await openAs("owner");
  const polling = await openAs("owner");
  await polling.route("**/api/v1/changes", (route) => route.abort());
  const list = await steerList(polling);
  const open = page.waitForResponse((response) => response.url().endsWith("/api/v1/changes"));
  await page.clock.install();
  await openPath(page, "/app/");
  await openPath(polling, "/app/");
  expect((await open).headers()["content-type"]).toContain("text/event-stream");

  // The clock is paused, so the page does not poll.
  await pause(page);
  await uploadElsewhere(await openAs("clerk"), { product, name: "push.xlsx", numbers: ["QC-22"] });
  const pushed = page.getByRole("article", { name: "push.xlsx" });
  expect(await moveUntil(page, () => pushed.isVisible(), 1)).toBeLessThan(1500);
  await page.clock.resume();
  await openUpload(page, "push.xlsx");
  await expect(pushed.getByText("1 invoice posted.")).toBeVisible();
  await expect(polling.getByRole("article", { name: "push.xlsx" })).toHaveCount(0);

  list.inProcess = true;
  await choose(polling, "polled.xlsx", await workbook(["QC-22b"]));
  await uploadButton(polling).click();
  const polled = await openUpload(polling, "polled.xlsx");
  await expect(polled.getByText("1 invoice posted.")).toBeVisible();
  await expect(polling.getByRole("article", { name: "push.xlsx" })).toBeVisible();
});

test("UP-34 ER-02 QC-07 a list that fails three times shows the message, and Try again loads the rows", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  let asked = 0;
  await page.route(LIST, async (route) => {
    asked += 1;
    if (asked > 3) await route.continue();
    else await route.fulfill({ status: 500, json: { detail: "The list rests for a moment." } });
  });
  await page.goto("/app/");
  const results = page.getByRole("region", { name: "Results" });
  await expect(results.getByText("The list rests for a moment.")).toBeVisible();
  expect(asked).toBe(3);
  await results.getByRole("button", { name: "Try again" }).click();
  await expect(results.getByText("The list rests for a moment.")).toHaveCount(0);
});

test("QC-07 QC-08 a list that keeps failing is requested at 0, 1 and 3 seconds, and then no more", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  let asked = 0;
  await page.route(LIST, async (route) => {
    asked += 1;
    await route.fulfill({ status: 500, json: { detail: "The list rests." } });
  });
  await page.clock.install();
  await openPath(page, "/settings/");
  await pause(page);
  await page.getByRole("link", { name: "Invoices", exact: true }).click();
  await expect(page.locator("h1")).toHaveText("Dockside Upload");
  for (let step = 0; step <= 20 && asked === 0; step++) {
    await page.clock.runFor(10);
    await allAsked(page);
  }
  const passed: number[] = [];
  for (let ms = 0; ms <= 6_000; ms += 100) {
    if (asked > passed.length) passed.push(ms);
    await page.clock.runFor(100);
    await allAsked(page);
  }
  expect(passed.map((ms) => Math.round(ms / 1_000))).toEqual([0, 1, 3]);
  await page.clock.runFor(60_000);
  await allAsked(page);
  expect(asked).toBe(3);
});

test("UP-34 a list whose refresh fails shows the message above its old rows, until a refresh succeeds", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  let isFailing = false;
  const upload = sampleUpload({ filename: "kept.xlsx" });
  await page.route("**/api/v1/changes", (route) => route.abort());
  await page.route(LIST, (route) =>
    isFailing
      ? route.fulfill({ status: 400, json: { detail: "The list rests for a moment." } })
      : route.fulfill({ json: sampleList([upload], { in_process: true }) }),
  );
  await openPath(page, "/app/");
  const results = page.getByRole("region", { name: "Results" });
  await openUpload(page);
  const rows = results.getByText("286 invoices posted.");
  await expect(rows).toBeVisible();
  isFailing = true;
  await expect(results.getByText("The list rests for a moment.")).toBeVisible();
  await expect(rows).toBeVisible();
  isFailing = false;
  await expect(results.getByText("The list rests for a moment.")).toHaveCount(0);
  await expect(rows).toBeVisible();
});

test("QC-09 a list without a response is requested three times, and the page says so", async ({ openAs }) => {
  const page = await openAs("owner");
  let asked = 0;
  await page.route(LIST, async (route) => {
    asked += 1;
    await route.abort("connectionreset");
  });
  await page.goto("/app/");
  const results = page.getByRole("region", { name: "Results" });
  await expect(results.getByRole("button", { name: "Try again" })).toBeVisible();
  await expect(results).toContainText("Network Error");
  expect(asked).toBe(3);
});

test("QC-11 GET company follows the same rule: 4xx once, 5xx three times", async ({ openAs }) => {
  for (const [status, times] of [
    [404, 1],
    [500, 3],
  ] as const) {
    const page = await openAs("owner");
    let asked = 0;
    await page.route("**/api/v1/company", async (route) => {
      asked += 1;
      await route.fulfill({ status, json: { detail: `The companies answer ${status}.` } });
    });
    await page.clock.install();
    await page.goto("/app/");
    await expect(page.getByText(`The companies answer ${status}.`)).toBeVisible();
    await page.clock.runFor(60_000);
    await allAsked(page);
    expect(asked).toBe(times);
  }
});

test("QC-02 QC-03 a page opened again reloads its data after 15 minutes, and not before", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  await page.clock.install();
  let asked = 0;
  await page.route("**/api/v1/company", async (route) => {
    asked += 1;
    await route.continue();
  });
  await openPath(page, "/settings/");
  await openPath(page, "/app/");
  await pause(page);
  const reopenAfter = async (seconds: number) => {
    await page.getByRole("link", { name: "Excel Add-In" }).click();
    await expect(page.locator("h1")).toContainText("Excel Add-In");
    await page.clock.fastForward(seconds * 1000);
    await page.getByRole("link", { name: "Invoices", exact: true }).click();
    await expect(page.locator("h1")).toHaveText("Dockside Upload");
    await allAsked(page);
  };
  await reopenAfter(16 * 60);
  const atStart = asked;
  await reopenAfter(14 * 60 + 59);
  expect(asked).toBe(atStart);
  await reopenAfter(2);
  expect(asked).toBe(atStart + 1);
});

test("UP-29 UP-30 UP-31 UP-32 UP-33 UP-44 a workbook's content is shown as text, never as markup, with its row, status and time", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  await openPath(page, "/app/");
  const markup = "<img src=x onerror='window.bitten = 1'>";
  await choose(page, "<b>bold.xlsx", await workbook(["UP-44", "<i>UP</i>"], markup));
  await uploadButton(page).click();
  const upload = await openUpload(page, "<b>bold.xlsx");
  const row = upload.getByRole("row").filter({ hasText: "Template Data Error" }).first();
  await expect(row).toContainText(markup);
  await expect(row.getByRole("cell").first()).toHaveText(/^2/);
  await expect(row).toHaveAttribute("data-tone", "red");
  await expect(upload.locator("img, i, b")).toHaveCount(0);
  expect(await page.evaluate(() => "bitten" in window)).toBe(false);
  const time = upload.locator("time");
  await expect(time).toHaveAttribute("datetime", /Z$/);
  await expect(time).toHaveText(/^[A-Z][a-z]{2} \d+, .*[AP]M P[DS]T$/);
});

/** Runs in the page. */
const looksOfRows = (rows: readonly Element[]) =>
  rows.map((row) => {
    const cells = [...row.querySelectorAll("[role=cell], td")];
    return {
      texts: cells.map((cell) => cell.textContent),
      fill: getComputedStyle(row).backgroundColor,
      space: getComputedStyle(cells.at(-1) ?? row).whiteSpace,
    };
  });

/** Word and color of each status code. */
const LOOKS: readonly [code: number, word: string, light: string, dark: string][] = [
  [0, "Completed", "rgb(243, 244, 245)", "rgb(25, 27, 29)"],
  [1, "Reserved", "rgb(243, 244, 245)", "rgb(25, 27, 29)"],
  [2, "Template Data Error", "rgb(253, 242, 243)", "rgb(31, 20, 21)"],
  [3, "Failed-Continuing", "rgb(255, 250, 235)", "rgb(30, 26, 15)"],
  [4, "Failed-Terminated", "rgb(253, 242, 243)", "rgb(31, 20, 21)"],
  [5, "Reserved", "rgb(243, 244, 245)", "rgb(25, 27, 29)"],
  [6, "Reserved", "rgb(243, 244, 245)", "rgb(25, 27, 29)"],
  [7, "Information", "rgb(238, 250, 253)", "rgb(15, 27, 31)"],
  [8, "No Results", "rgb(255, 250, 235)", "rgb(30, 26, 15)"],
  [9, "Failed-Unknown", "rgb(253, 242, 243)", "rgb(31, 20, 21)"],
  [100, "Queued", "rgb(239, 247, 242)", "rgb(17, 27, 22)"],
  [101, "Working", "rgb(239, 247, 242)", "rgb(17, 27, 22)"],
  [55, "Status 55", "rgb(255, 250, 235)", "rgb(30, 26, 15)"],
];

test("SC-00 SC-01 SC-02 SC-03 SC-04 SC-05 SC-06 SC-07 SC-08 SC-09 SC-100 SC-101 SC-200 SC-201 SC-202 UP-31 UP-32 UP-33 each status is shown in its row by word, icon and color, light and dark, and a message keeps its line breaks", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  const results = [...everyStatus];
  const upload = sampleUpload({ results, result_count: results.length });
  await page.route(LIST, (route) => route.fulfill({ json: sampleList([upload]) }));
  await openPath(page, "/app/");
  await openUpload(page);
  const rows = page.getByRole("table", { name: "Results of march.xlsx" }).locator("[data-tone]");
  await expect(rows).toHaveCount(results.length);
  const shown = groupResults(results).groups.map((group) => ({ ...group, rows: group.rows.join(", ") }));
  const looks = Object.fromEntries(LOOKS.map(([code, ...look]) => [code, look]));
  for (const [index, colorScheme] of (["light", "dark"] as const).entries()) {
    await page.emulateMedia({ colorScheme });
    const specified = shown.map(({ status, rows: range, message }) => {
      const [word = "", ...fills] = looks[status] ?? [];
      const texts = [range, word, message];
      return { texts, fill: fills[index], space: message.includes("\n") ? "pre-wrap" : "normal" };
    });
    await expect.poll(() => rows.evaluateAll(looksOfRows), colorScheme).toEqual(specified);
  }
});

test("UP-39 a poll that changes nothing leaves every row of the page where it is", async ({
  product,
  openAs,
}) => {
  const page = await openAs("owner");
  const list = await steerList(page);
  await uploadElsewhere(await openAs("owner"), { product, name: "stays.xlsx", numbers: ["UP-39"] });
  list.inProcess = true;
  await openPath(page, "/app/");
  const upload = await openUpload(page, "stays.xlsx");
  await expect(upload.getByText("1 invoice posted.")).toBeVisible();
  const row = await upload.getByRole("row").last().elementHandle();
  const before = list.asked();
  await expect.poll(() => list.asked()).toBeGreaterThan(before + 1);
  expect(await row?.evaluate((element) => element.isConnected)).toBe(true);
});

test("UP-39 UP-43 switching the company clears the old one's list, chosen file and error at once", async ({
  product,
  openAs,
}) => {
  await uploadElsewhere(await openAs("owner"), { product, name: "of-acme.xlsx", numbers: ["UP-43"] });
  const page = await openAs("owner");
  await openPath(page, "/app/");
  await expect(page.getByRole("article", { name: "of-acme.xlsx" })).toBeVisible();
  const switchTo = (name: string) =>
    page.getByRole("banner").getByRole("combobox", { name: "Company" }).selectOption(name);
  await choose(page, "chosen.xlsx", await workbook(["UP-43c"]));
  await page.route(`**/api/v1/invoices?realm_id=${BAY}*`, () => undefined);
  await switchTo("Bay Supply");
  await expect(page.getByText(/^You are connected to Bay Supply/)).toBeVisible();
  await expect(page.getByRole("progressbar", { name: "Loading uploads" })).toBeVisible();
  await expect(page.getByText("chosen.xlsx")).toHaveCount(0);
  await expect(uploadButton(page)).toBeDisabled();
  await expect(page.getByRole("article")).toHaveCount(0);
  await switchTo("Acme Tools");
  await choose(page, "bad.xlsx", Buffer.from("no workbook"));
  await uploadButton(page).click();
  await expect(page.getByText("Upload Error")).toBeVisible();
  await switchTo("Bay Supply");
  await expect(page.getByText("Upload Error")).toHaveCount(0);
});

type List = {
  inProcess: boolean;
  asked(): number;
  /** Number of requests without a response. */
  open(): number;
};

/** Counts requests of the list, and sets whether an upload is in process. */
async function steerList(page: Page): Promise<List> {
  let asked = 0;
  let answered = 0;
  const list: List = { inProcess: false, asked: () => asked, open: () => asked - answered };
  await page.route("**/api/v1/changes", (route) => route.abort());
  await page.route(LIST, async (route) => {
    if (route.request().method() !== "GET") return route.continue();
    asked += 1;
    const headers = { ...route.request().headers() };
    delete headers["if-none-match"];
    const answer = await route.fetch({ headers });
    const body = (await answer.json()) as object;
    await route.fulfill({ response: answer, json: { ...body, in_process: list.inProcess } });
    answered += 1;
  });
  return list;
}

/** Opens a page whose clock is then paused until the test moves it. */
async function pausedAt(page: Page, path: string): Promise<void> {
  await page.clock.install();
  await openPath(page, path);
  await expect(page.getByRole("region", { name: "Results" }).getByRole("progressbar")).toHaveCount(0);
  await pause(page);
}

/** Moves the page's clock in small steps to its next request. */
async function untilAsked(page: Page, list: List): Promise<void> {
  await allAnswered(page, list);
  const before = list.asked();
  for (let step = 0; step <= 20 && list.asked() === before; step++) {
    await page.clock.runFor(100);
    await allAsked(page);
  }
  expect(list.asked()).toBe(before + 1);
  await allAnswered(page, list);
}

/** Moves the page's clock and waits for the responses. */
async function tick(page: Page, list: List, ms: number): Promise<void> {
  const before = list.asked();
  await page.clock.runFor(ms);
  await expect.poll(() => list.asked()).toBe(before + 1);
  await allAnswered(page, list);
}

/** The page counts the interval from the last response. */
async function allAnswered(page: Page, list: List): Promise<void> {
  await expect.poll(() => list.open()).toBe(0);
  await allAsked(page);
}

const turnTab = (page: Page, state: "hidden" | "visible") =>
  page.evaluate((value) => {
    Object.defineProperty(document, "visibilityState", { value, configurable: true });
    Object.defineProperty(document, "hidden", { value: value === "hidden", configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
    window.dispatchEvent(new Event("visibilitychange"));
  }, state);

type Elsewhere = { product: Product; name: string; numbers: readonly string[] };

/** Uploads to Acme Tools from another browser. */
async function uploadElsewhere(page: Page, { product, name, numbers }: Elsewhere): Promise<void> {
  const answer = await page.request.post(`/api/v1/invoices?realm_id=${ACME}`, {
    headers: { origin: product.url },
    multipart: { file: { name, mimeType: XLSX, buffer: await workbook(numbers) } },
  });
  expect(answer.status()).toBe(202);
}
