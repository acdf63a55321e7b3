import type { Page } from "@playwright/test";
import { expect, test } from "./product.ts";
import { expectAccessible, expectNoAxeViolations } from "./support/barriers.ts";
import { serveGallery } from "./support/gallery.ts";
import { VISITS } from "./states.ts";
import { openPath, type Who } from "./support/visit.ts";
import { choose, chooseSample, openUpload, uploadButton } from "./support/workbooks.ts";

test.describe.configure({ mode: "parallel" });

for (const [who, paths] of Object.entries(VISITS) as [Who, readonly string[]][]) {
  test(`AY-01 AY-04 AY-05 AY-06 AY-08 AY-09 SR-13 ${who} meets no accessibility barrier on any page, wide in the light scheme and narrow in the dark one`, async ({
    openAs,
  }) => {
    test.setTimeout(180_000);
    const page = await openAs(who, { reducedMotion: "reduce" });
    for (const path of paths) {
      await openPath(page, path);
      await expectAccessible(page, `${who} at ${path}`);
    }
  });
}

test("AY-01 failed, loading and crashed pages have no accessibility barrier", async ({ openAs }) => {
  const page = await openAs("owner", { reducedMotion: "reduce" });
  await page.route("**/api/v1/invoices?*", (route) => route.fulfill(problem("The list could not be read.")));
  await page.route("**/api/v1/company", (route) => route.fulfill(problem("Companies could not be read.")));
  await page.goto("/app/");
  await expect(page.getByText("The list could not be read.")).toBeVisible();
  await expectAccessible(page, "lists that failed");

  await page.context().clearCookies();
  await page.route("**/api/v1/user", (route) => route.fulfill(problem("The session could not be read.")));
  await page.goto("/settings/");
  await expect(page.getByRole("button", { name: "Try again" })).toBeVisible();
  await expectAccessible(page, "a session that failed");

  await page.route("**/api/v1/user", () => undefined);
  await page.goto("/settings/");
  await expect(page.getByRole("progressbar", { name: "Loading your account" })).toBeVisible();
  await expectAccessible(page, "a session that loads");

  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.route(/\/settings-page-[\w-]+\.js$/, (route) =>
    route.fulfill({
      contentType: "text/javascript",
      body: "export function SettingsPage() { throw new Error('made to fail'); }",
    }),
  );
  await page.goto("/settings/");
  await expect(page.getByRole("heading", { name: "Sorry, something went wrong." })).toBeVisible();
  await expectAccessible(page, "the fallback screen");
});

test("AY-01 Settings has no accessibility barrier with its users, the hand-over question, its tracking and the audit trail open", async ({
  openAs,
}) => {
  test.setTimeout(180_000);
  const page = await openAs("owner", { reducedMotion: "reduce" });
  await openPath(page, "/settings/?section=users");
  await expect(page.getByRole("list", { name: "Users of this company" })).toBeVisible();
  await expectAccessible(page, "Users");
  await page.getByRole("button", { name: "Transfer admin role" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectAccessible(page, "the question of a hand-over");
  await page.keyboard.press("Escape");
  await openPath(page, "/settings/data/?section=audit");
  await expect(page.getByRole("table", { name: "Entries of the audit trail" })).toBeVisible();
  await expectAccessible(page, "the audit trail");

  await page.route("**/api/v1/company", async (route) => {
    const answer = await route.fetch();
    const { companies } = (await answer.json()) as { companies: { services: string[] }[] };
    await route.fulfill({
      response: answer,
      json: {
        companies: companies.map((company) => ({ ...company, services: [...company.services, "tracking"] })),
      },
    });
  });
  await openPath(page, "/settings/?section=tracking");
  await expect(page.getByRole("spinbutton").or(page.getByRole("checkbox")).first()).toBeVisible();
  await expectAccessible(page, "Tracking");
});

test("AY-01 an upload with errors has no accessibility barrier, with each of its parts open", async ({
  openAs,
}) => {
  const page = await openAs("platform", { reducedMotion: "reduce" });
  await openPath(page, "/app/");
  await chooseSample(page, "with-mistakes", "mistakes.xlsx");
  await expectAccessible(page, "a chosen file");
  await uploadButton(page).click();
  await expect(page.getByText(/^[1-9]\d* need fixing$/).first()).toBeVisible();
  await expect(page.getByRole("button", { name: /^Fix \d+ invoices$/ })).toBeVisible();
  await openUpload(page, "mistakes.xlsx");
  await expectAccessible(page, "results with problems");

  await choose(page, "notes.txt", Buffer.from("no workbook"), "text/plain");
  await expect(page.getByRole("alert")).toBeVisible();
  await expectAccessible(page, "a refused file");

  await page.setViewportSize({ width: 375, height: 800 });
  await page.getByRole("button", { name: "Menu" }).click();
  await expectAccessible(page, "the open menu", [375]);
});

test("AY-01 a message, a disconnection, done or failed, and a page that does not start have no accessibility barrier", async ({
  openAs,
}) => {
  const page = await openAs("owner", { reducedMotion: "reduce" });
  for (const [answer, shown] of [
    [problem("The message could not be kept."), "The message could not be kept."],
    [{ status: 200, json: {} }, "Thank you. We'll reply within two business days."],
  ] as const) {
    await page.route("**/api/v1/contact", (route) => route.fulfill(answer));
    await openPath(page, "/contact/");
    await page.getByRole("textbox", { name: "Message" }).fill("Which paper do you advise?");
    await page.getByRole("button", { name: "Send" }).click();
    await expect(page.getByRole("main").getByText(shown)).toBeVisible();
    await expectAccessible(page, shown, [375]);
  }
  const disconnected = { disconnected_at: "2027-03-03T15:42:00.000Z", waiting_uploads: 2 };
  for (const [answer, shown] of [
    [problem("Intuit did not answer."), "Intuit did not answer."],
    [{ status: 200, json: disconnected }, "Acme Tools is disconnected"],
  ] as const) {
    await page.route("**/api/v1/company/disconnect?*", (route) => route.fulfill(answer));
    await openPath(page, "/disconnect/");
    await page.getByRole("button", { name: "Disconnect Acme Tools" }).click();
    await expect(page.getByRole("main").getByText(shown)).toBeVisible();
    await expectAccessible(page, shown, [375]);
  }
  await page.route(/\/assets\/shell-[\w-]+\.js$/, (route) => route.abort());
  await page.goto("/contact/");
  await expect(page.getByRole("alert").filter({ hasText: "This page hasn't started." })).toBeVisible();
  for (const colorScheme of ["light", "dark"] as const)
    await expectNoAxeViolations(page, "a page that does not start", colorScheme);
});

test("AY-01 AY-04 AY-05 AY-06 AY-07 AY-08 the simulated Intuit's choosers and books have no accessibility barrier", async ({
  page,
  product,
}) => {
  await page.goto("/login/");
  await expectAccessible(page, "who signs in");
  await page.getByRole("radio", { name: /Nia New/ }).check();
  await page.getByRole("button", { name: "Continue" }).click();
  await expectAccessible(page, "what is allowed");
  await page.getByRole("button", { name: "Allow" }).click();
  await page.waitForURL(`${product.url}/**`);
  await openPath(page, "/get-app/");
  await page.getByRole("link", { name: "Connect to QuickBooks" }).click();
  await expectAccessible(page, "which company");
  for (const path of ["/", "/qbo/9130357849016936"]) {
    await page.goto(`${product.intuitUrl}${path}`);
    await expectAccessible(page, `the simulated books at ${path}`);
  }
});

const MAIN_CONTROLS: readonly ["guest" | "owner", string, readonly string[]][] = [
  ["guest", "/", ["Get Started", "Sign in with Intuit"]],
  ["guest", "/settings/", ["Sign in with Intuit"]],
  ["guest", "/get-app/", ["Connect to QuickBooks"]],
  ["owner", "/app/", ["Choose spreadsheet", "Upload", "Review"]],
  ["owner", "/settings/", ["Add New Company"]],
  ["owner", "/disconnect/", ["Disconnect Acme Tools"]],
  ["owner", "/contact/", ["Send"]],
];

test("AY-04 the main controls are there and at least 44 px high, wide and narrow", async ({ openAs }) => {
  const pages = { guest: await openAs("guest"), owner: await openAs("owner") };
  for (const [who, path, names] of MAIN_CONTROLS) {
    const page = pages[who];
    await openPath(page, path);
    for (const width of [1280, 375]) {
      await page.setViewportSize({ width, height: 800 });
      for (const name of names) {
        const control = page
          .getByRole("button", { name, exact: true })
          .or(page.getByRole("link", { name, exact: true }))
          .first();
        await expect(control).toBeVisible();
        expect((await control.boundingBox())?.height, `${name} at ${path}`).toBeGreaterThanOrEqual(44);
      }
    }
  }
});

test("AY-01 TH-17 TH-18 hovered and pressed controls stay readable in both schemes", async ({ openAs }) => {
  const page = await openAs("owner", { reducedMotion: "reduce" });
  await serveGallery(page);
  for (const path of ["/", "/settings/", "/gallery/"]) {
    await openPath(page, path);
    for (const states of [["hover"], ["hover", "active"]]) {
      await forceStates(page, states);
      for (const colorScheme of ["light", "dark"] as const)
        await expectNoAxeViolations(page, `${path} with ${states.join(" and ")}`, colorScheme);
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
