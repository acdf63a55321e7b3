import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, test } from "./product.ts";
import { openPath, type Who } from "./support/visit.ts";

test.describe.configure({ mode: "parallel" });

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

const PUBLIC = [
  "/",
  "/get-app/",
  "/get-app/?error=refused",
  "/get-app/?error=already_connected&company=Acme&admin=a@b.example",
  "/disconnect/?realmId=9130357849016936",
  "/end-user-license-agreement/",
  "/privacy-policy/",
  "/contact/",
  "/login/failed?reason=expired&support_id=req-1",
  "/logout/confirm",
  "/no-such-page",
];
const CLOSED = [
  "/app/",
  "/add-in/",
  "/settings/",
  "/payment-completion/",
  "/label/",
  "/ups-callback/",
  "/disconnect/",
  "/controller/",
];

const ROUTES: Record<Who, readonly string[]> = {
  // A guest sees the same on every closed page.
  guest: [...PUBLIC, "/app/", "/label/?ups=1"],
  owner: [...CLOSED, "/", "/contact/", "/gallery/"],
  platform: ["/controller/", "/settings/"],
  nocompany: ["/app/", "/settings/", "/disconnect/"],
  clerk: ["/disconnect/", "/settings/"],
  plain: ["/app/", "/controller/"],
  labels: ["/label/"],
};

for (const [who, paths] of Object.entries(ROUTES) as [Who, readonly string[]][]) {
  test(`AY-01 AY-08 ${who} meets no barrier on any page, light or dark, wide or narrow`, async ({
    openAs,
  }) => {
    test.setTimeout(180_000);
    const page = await openAs(who, { reducedMotion: "reduce" });
    for (const path of paths) {
      await openPath(page, path);
      await expectNoBarrier(page, `${who} at ${path}`);
    }
  });
}

test("AY-01 failed, loading and crashed pages meet no barrier either", async ({ openAs }) => {
  test.setTimeout(120_000);
  const page = await openAs("owner", { reducedMotion: "reduce" });
  await page.route("**/api/v1/invoices?*", (route) => route.fulfill(problem("The list could not be read.")));
  await page.route("**/api/v1/company", (route) => route.fulfill(problem("Companies could not be read.")));
  await page.goto("/app/");
  await expect(page.getByText("The list could not be read.")).toBeVisible();
  await expectNoBarrier(page, "lists that failed");

  await page.context().clearCookies();
  await page.route("**/api/v1/user", (route) => route.fulfill(problem("The session could not be read.")));
  await page.goto("/settings/");
  await expect(page.getByRole("button", { name: "Try again" })).toBeVisible();
  await expectNoBarrier(page, "a session that failed");

  await page.route("**/api/v1/user", () => undefined);
  await page.goto("/settings/");
  await expect(page.getByRole("progressbar", { name: "Loading your account" })).toBeVisible();
  await expectNoBarrier(page, "a session that loads");

  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.route(/settings-page-[\w-]+\.js$/, (route) =>
    route.fulfill({
      contentType: "text/javascript",
      body: "export function SettingsPage() { throw new Error('made to fail'); }",
    }),
  );
  await page.goto("/settings/");
  await expect(page.getByRole("heading", { name: "Sorry, something went wrong." })).toBeVisible();
  await expectNoBarrier(page, "the fallback screen");
});

test("AY-01 an upload with mistakes meets no barrier, whatever is open", async ({ openAs }) => {
  test.setTimeout(120_000);
  const page = await openAs("platform", { reducedMotion: "reduce" });
  const sample = await page.request.get("/templates/samples/with-mistakes.xlsx");
  await openPath(page, "/app/");
  await page
    .locator("input[type=file]")
    .first()
    .setInputFiles({
      name: "mistakes.xlsx",
      mimeType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
      buffer: await sample.body(),
    });
  await expectNoBarrier(page, "a chosen file");
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  await expect(page.getByText(/^\d+ completed, [1-9]\d* problems$/).first()).toBeVisible({ timeout: 30_000 });
  await expectNoBarrier(page, "results with problems");

  await page
    .locator("input[type=file]")
    .first()
    .setInputFiles({
      name: "notes.txt",
      mimeType: "text/plain",
      buffer: Buffer.from("no workbook"),
    });
  await expect(page.getByRole("alert")).toBeVisible();
  await expectNoBarrier(page, "a refused file");

  await page.setViewportSize({ width: 375, height: 800 });
  await page.getByRole("button", { name: "Menu" }).click();
  await expectNoBarrier(page, "the open menu", [375]);
});

/** Looks at a page in both schemes and at both widths. */
async function expectNoBarrier(page: Page, what: string, widths: readonly number[] = [1280, 375]) {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      const { violations } = await new AxeBuilder({ page }).withTags(RULES).analyze();
      const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
      expect(found, `${what}, ${colorScheme}, ${width} px`).toEqual([]);
    }
    await expectNoSideways(page, `${what}, ${width} px`);
  }
  await expectOneHeading(page, what);
}

async function expectNoSideways(page: Page, what: string) {
  const over = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(over, `${what}: pixels beside the screen`).toBeLessThanOrEqual(0);
}

async function expectOneHeading(page: Page, what: string) {
  const levels = await page
    .locator("h1, h2, h3, h4, h5, h6")
    .evaluateAll((all) => all.map(({ tagName }) => Number(tagName[1])));
  expect(
    levels.filter((level) => level === 1),
    what,
  ).toHaveLength(1);
  const leaps = levels.filter((level, index) => level > (levels[index - 1] ?? 1) + 1);
  expect(leaps, `${what}: headings that leap a level in ${levels.join(" ")}`).toEqual([]);
}

const problem = (detail: string) => ({
  status: 503,
  contentType: "application/problem+json",
  body: JSON.stringify({ detail, code: "unavailable", status: 503, request_id: "req-1" }),
});
