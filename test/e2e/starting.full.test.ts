import type { Page } from "@playwright/test";
import { expect, test } from "./product.ts";
import { moveUntil, pause } from "./support/clock.ts";
import { openAs, openPath } from "./support/visit.ts";

test.describe.configure({ mode: "parallel" });

const SHELL = /\/assets\/shell-[\w-]+\.js$/;
const SETTINGS = /\/assets\/settings-page-[\w-]+\.js$/;

const notStarted = (page: Page) => page.getByRole("alert").filter({ hasText: "This page hasn't started." });
const wentWrong = (page: Page) => page.getByRole("heading", { name: "Sorry, something went wrong." });

test("RT-19 a page whose script is gone reloads once by itself, then says so, and starts when it is back", async ({
  page,
}) => {
  let loads = 0;
  page.on("request", (request) => (loads += request.isNavigationRequest() ? 1 : 0));
  await page.route(SHELL, (route) => route.abort());
  await page.goto("/contact/");
  await expect(notStarted(page)).toBeVisible();
  expect(loads).toBe(2);
  await page.unroute(SHELL);
  await notStarted(page).getByRole("link", { name: "Reload" }).click();
  await expect(page.locator("h1")).toHaveText("Contact");
  await expect(notStarted(page)).toHaveCount(0);
});

test("a page whose script does not arrive for 30 seconds says so, and starts when it arrives later", async ({
  page,
}) => {
  await page.clock.install();
  let answer: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route(SHELL, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto("/contact/", { waitUntil: "commit" });
  await expect(page.locator("#root")).toBeAttached();
  await page.clock.fastForward(15_000);
  await expect(notStarted(page)).toBeHidden();
  await page.clock.fastForward(15_000);
  await expect(notStarted(page)).toBeVisible();
  answer();
  await expect(page.locator("h1")).toHaveText("Contact");
  await expect(notStarted(page)).toHaveCount(0);
});

test("a page whose own code does not arrive shows the frame after two seconds, and after 30 says that it is missing", async ({
  browser,
  product,
}) => {
  const page = await openAs({ browser, product }, "owner");
  await page.clock.install();
  await pause(page);
  await page.route(SETTINGS, () => undefined);
  await page.goto("/settings/", { waitUntil: "commit" });
  await expect(page.locator("#root")).toBeAttached();
  await moveUntil(page, () => page.getByRole("banner").isVisible());
  await expect(wentWrong(page)).toHaveCount(0);
  // The page as it is sent has a banner, too: its script starts without the code after two seconds.
  await page.clock.runFor(3_000);
  await page.clock.fastForward(30_000);
  // Drawing it takes timers of the page, whose clock stands.
  expect(await moveUntil(page, () => wentWrong(page).isVisible())).toBeLessThan(1_000);
  await expect(page.getByText("This page took too long to load. Check your connection.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Reload" })).toBeVisible();
});

test("RT-19 offline a page whose code is not loaded says so, and the open page is not lost to a reload", async ({
  browser,
  product,
}) => {
  const page = await openAs({ browser, product }, "owner");
  await openPath(page, "/contact/");
  let loads = 0;
  page.on("request", (request) => (loads += request.isNavigationRequest() ? 1 : 0));
  await page.context().setOffline(true);
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  await expect(wentWrong(page)).toBeVisible();
  await expect(page.getByText("This page took too long to load. Check your connection.")).toBeVisible();
  expect(loads).toBe(0);
  await page.context().setOffline(false);
  await page.getByRole("button", { name: "Reload" }).click();
  await expect(page.locator("h1")).toHaveText("Dockside App Settings");
});

test("a user kept on a page by a running upload gets a message when the next page's code is gone", async ({
  browser,
  product,
}) => {
  const page = await openAs({ browser, product }, "owner");
  await page.route(SETTINGS, (route) => route.abort());
  await openPath(page, "/app/");
  await page.evaluate(() => addEventListener("beforeunload", (event) => event.preventDefault()));
  const asked = page.waitForEvent("dialog");
  // Answered at once: while a question is open, the browser answers nothing that is asked of the page.
  page.once("dialog", (question) => void question.dismiss());
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  expect((await asked).type()).toBe("beforeunload");
  await expect(wentWrong(page)).toBeVisible();
});

test("FR-33 a frame that fails to render is replaced by the fallback screen, not by an empty page", async ({
  browser,
  product,
}) => {
  const page = await openAs({ browser, product }, "owner");
  await page.route(/\/(settings\/|api\/v1\/user)$/, async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replace(/"groups":\[[^\]]*\]/, '"groups":7');
    await route.fulfill({ response: answer, body });
  });
  await page.goto("/settings/");
  await expect(wentWrong(page)).toBeVisible();
});
