import type { Page } from "@playwright/test";
import { expect, test } from "./product.ts";
import { expectNoBarrier, expectNoFinding } from "./support/barriers.ts";
import { openPath, type Who } from "./support/visit.ts";
import { choose, chooseSample, uploadButton } from "./support/workbooks.ts";

test.describe.configure({ mode: "parallel" });

const PUBLIC = [
  "/",
  "/get-app/",
  "/get-app/?error=refused",
  "/get-app/?error=already_connected&told=unknown",
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
  owner: [
    ...CLOSED,
    "/disconnect/?realmId=9130357849016936",
    "/app/?form=1",
    "/app/?names=1",
    "/",
    "/contact/",
    "/gallery/",
  ],
  platform: ["/controller/", "/settings/"],
  nocompany: ["/app/", "/settings/", "/disconnect/"],
  clerk: ["/disconnect/", "/settings/"],
  plain: ["/app/", "/controller/"],
  labels: ["/label/"],
};

for (const [who, paths] of Object.entries(ROUTES) as [Who, readonly string[]][]) {
  test(`AY-01 AY-04 AY-05 AY-06 AY-08 AY-09 ${who} meets no barrier on any page, light or dark, wide or narrow`, async ({
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
  await openPath(page, "/app/");
  await chooseSample(page, "with-mistakes", "mistakes.xlsx");
  await expectNoBarrier(page, "a chosen file");
  await uploadButton(page).click();
  await expect(page.getByText(/^\d+ completed, [1-9]\d* problems$/).first()).toBeVisible({ timeout: 30_000 });
  await expectNoBarrier(page, "results with problems");

  await choose(page, "notes.txt", Buffer.from("no workbook"), "text/plain");
  await expect(page.getByRole("alert")).toBeVisible();
  await expectNoBarrier(page, "a refused file");

  await page.setViewportSize({ width: 375, height: 800 });
  await page.getByRole("button", { name: "Menu" }).click();
  await expectNoBarrier(page, "the open menu", [375]);
});

test("AY-01 TH-17 TH-18 whatever is under the pointer, or pressed, stays readable in both schemes", async ({
  openAs,
}) => {
  test.setTimeout(120_000);
  const page = await openAs("owner", { reducedMotion: "reduce" });
  for (const path of ["/", "/settings/", "/gallery/"]) {
    await openPath(page, path);
    for (const states of [["hover"], ["hover", "active"]]) {
      await forceStates(page, states);
      await expectNoFinding(page, `${path} with ${states.join(" and ")}`);
    }
  }
  const filled = page.getByRole("button", { name: "Filled", exact: true });
  await page.emulateMedia({ colorScheme: "light" });
  await expect(filled).toHaveCSS("background-color", "rgb(199, 74, 20)");
});

/** Puts every link and button into these states at once, as the browser's own tools do. */
async function forceStates(page: Page, forcedPseudoClasses: string[]): Promise<void> {
  const tools = await page.context().newCDPSession(page);
  await tools.send("DOM.enable");
  await tools.send("CSS.enable");
  const { root } = await tools.send("DOM.getDocument");
  const { nodeIds } = await tools.send("DOM.querySelectorAll", {
    nodeId: root.nodeId,
    selector: "a, button",
  });
  for (const nodeId of nodeIds) await tools.send("CSS.forcePseudoState", { nodeId, forcedPseudoClasses });
}

const problem = (detail: string) => ({
  status: 503,
  contentType: "application/problem+json",
  body: JSON.stringify({ detail, code: "unavailable", status: 503, request_id: "req-1" }),
});
