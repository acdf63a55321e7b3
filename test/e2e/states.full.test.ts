import type { Page } from "@playwright/test";
import { expect, test } from "./product.ts";
import { PAGE_STATES, type PageState } from "./states.ts";
import { expectNoAxeViolations } from "./support/barriers.ts";
import { grantTracking } from "./support/services.ts";
import { allAsked, openPath } from "./support/visit.ts";

test.describe.configure({ mode: "parallel" });

/** Each as long as a test may be. */
const PARTS = 6;

for (let part = 0; part < PARTS; part += 1)
  test(`SR-13 each page is free of findings of axe with its data, while it loads, when it failed, and with its parts open, ${part + 1} of ${PARTS}`, async ({
    openAs,
    product,
  }) => {
    test.setTimeout(600_000);
    await grantTracking(product);
    const pages = { owner: await openAs("owner"), platform: await openAs("platform") };
    for (const state of PAGE_STATES.filter((_, index) => index % PARTS === part)) {
      const page = state.who === "platform" ? pages.platform : pages.owner;
      const what = [state.who, state.path, state.answers, ...state.presses.map(([, name]) => name)].join(" ");
      await test.step(what, async () => {
        await reach(page, state);
        await page.setViewportSize({ width: 1280, height: 800 });
        await expectNoAxeViolations(page, what, "light");
        await page.setViewportSize({ width: 375, height: 800 });
        await expectNoAxeViolations(page, what, "dark");
        await page.unrouteAll({ behavior: "ignoreErrors" });
      });
    }
  });

const REFUSED = "This was refused for a test.";

async function reach(page: Page, { path, answers, presses }: PageState): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 800 });
  if (answers === "data") {
    await openPath(page, path);
    for (const [role, name] of presses)
      await page
        .getByRole(role, { name: new RegExp(`^${name}`) })
        .first()
        .click();
    await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
    return;
  }
  let held = 0;
  await page.route("**/api/v1/**", async (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === "/api/v1/user" || pathname === "/api/v1/changes") return route.continue();
    held += 1;
    if (answers === "failed")
      await route.fulfill({
        status: 400,
        contentType: "application/problem+json",
        body: JSON.stringify({ detail: REFUSED, code: "refused", status: 400, request_id: "req-1" }),
      });
  });
  await page.goto(path);
  await page.locator("h1").first().waitFor();
  await allAsked(page);
  if (answers === "failed") await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  expect(held, `${path} reads nothing: it is one of STILL`).toBeGreaterThan(0);
}
