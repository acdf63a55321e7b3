import type { Page } from "@playwright/test";
import { expect, test } from "./product.ts";
import { expectAccessible } from "./support/barriers.ts";
import { printedSheets } from "./support/printed.ts";
import { openPath } from "./support/visit.ts";

test.describe.configure({ mode: "parallel" });

const LEGAL = [
  ["/end-user-license-agreement/", "End-User License Agreement", "Who agrees"],
  ["/privacy-policy/", "Privacy Policy", "What is kept"],
] as const;

test("LE-01 LE-02 PR-03 the legal texts are complete without script, with version and contents, and print without the frame", async ({
  openAs,
}) => {
  for (const javaScriptEnabled of [false, true]) {
    const page = await openAs("guest", { javaScriptEnabled });
    for (const [path, title, first] of LEGAL) {
      await page.goto(path);
      await expect(page.locator("h1")).toHaveText(title);
      await expect(page.getByText("Effective November 1, 2026")).toBeVisible();
      await expect(page.getByRole("heading", { level: 2 }).first()).toHaveText(first);
      const contents = page.getByRole("navigation", { name: "Contents" }).getByRole("link");
      expect(await contents.count()).toBe(await page.getByRole("heading", { level: 2 }).count());
      await contents.last().click();
      await expect(page.getByRole("heading", { level: 2 }).last()).toBeInViewport();
      await expect(page.getByRole("contentinfo").getByRole("link", { name: "License" })).toBeVisible();
      const said = await page
        .locator("main :is(h1, h2, p, li)")
        .evaluateAll((all) =>
          all.filter((each) => !each.closest("nav")).map((each) => (each.textContent ?? "").trim()),
        );
      // A line may end within a word.
      const together = (parts: readonly string[]) => parts.join("").replaceAll(/\s/g, "");
      expect(together(await printedSheets(page))).toBe(together(said));
    }
  }
});

test("HM-02 HM-06 the landing page says what the product does before and without its script", async ({
  openAs,
}) => {
  const page = await openAs("guest", { javaScriptEnabled: false });
  await page.goto("/");
  await expect(page.locator("h1")).toContainText("Dockside");
  await expect(page.getByRole("listitem")).toHaveCount(3);
  await expect(page.getByRole("link", { name: "Get Started" })).toHaveAttribute("href", "/app/");
});

test("CT-02 the form keeps what is typed before the session has loaded, and prefills only blank fields", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  let answer = () => {};
  const asked = new Promise<void>((resolve) => (answer = resolve));
  // The shell has no user, as for a guest; then the user turns out to be signed in.
  await page.route("**/contact/", async (route) => {
    const shell = await route.fetch();
    await route.fulfill({
      response: shell,
      body: (await shell.text()).replace(/<script[^>]* id="user"[^]*?<\/script>/, ""),
    });
  });
  await page.route("**/api/v1/user", async (route) => {
    await asked;
    await route.continue();
  });
  await page.goto("/contact/");
  await page.getByRole("textbox", { name: "Name" }).fill("Olive of Acme");
  await expect(page.getByRole("textbox", { name: "Email" })).toHaveValue("");
  answer();
  await expect(page.getByRole("textbox", { name: "Email" })).toHaveValue("owner@acme.example");
  await expect(page.getByRole("textbox", { name: "Name" })).toHaveValue("Olive of Acme");
});

test("AD-01 AD-02 AD-03 AD-04 AD-05 AD-06 AD-07 AD-08 AD-09 AD-10 AD-11 AD-12 AD-13 GEN-09 VA-07 the add-in page is a preview: everything is disabled and nothing is called", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  await openPath(page, "/add-in/");
  const main = page.getByRole("main");
  await expect(main.getByText("Coming soon: this is a preview.")).toBeVisible();
  await expect(main.getByRole("button")).toHaveText([
    "Copy",
    "New Token",
    "Invalidate Token",
    "Save",
    "Reject All Sessions",
    "Download",
  ]);
  const token = main.getByLabel("Access token");
  const password = main.getByLabel("Password");
  for (const field of [token, password]) await expect(field).toHaveAttribute("placeholder", /\w/);
  await expect(token).toHaveAttribute("readonly");
  await expect(password).toHaveAttribute("type", "password");
  await expect(password).toHaveAttribute("required");
  await expect(main.getByRole("list").getByRole("listitem")).toHaveCount(5);
  const calls: string[] = [];
  page.on("request", (request) => calls.push(request.url()));
  for (const control of await main.locator("button, input").all()) {
    await expect(control).toBeDisabled();
    await control.click({ force: true });
  }
  for (let index = 0; index < 20; index += 1) await page.keyboard.press("Tab");
  expect(calls).toEqual([]);
});

test("LG-04 refusing access ends on a page that says why and offers Try again", async ({ page }) => {
  await page.goto("/login/?next=%2Fsettings%2F");
  await page.getByRole("radio", { name: /Olive Owner/ }).check();
  await page
    .getByRole("button", { name: /Refuse|Cancel|Deny/ })
    .or(page.getByRole("link", { name: /Refuse|Cancel|Deny/ }))
    .first()
    .click();
  await expect(page.locator("h1")).toHaveText("Sign-in did not complete");
  await expect(page.getByText("Intuit says you didn't allow access.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Try again" })).toHaveAttribute(
    "href",
    "/login/?next=%2Fsettings%2F",
  );
  await expect(page.getByRole("main").getByRole("link", { name: "Home" })).toBeVisible();
});

test("DC-02 a member who is not an admin is shown whom to ask", async ({ openAs }) => {
  const page = await openAs("clerk");
  await openPath(page, "/disconnect/");
  await expect(page.getByText(/^Only the company admin can do this\. Ask owner@acme\.example/)).toBeVisible();
  await expect(page.getByRole("button", { name: /^Disconnect/ })).toHaveCount(0);
});

test("LB-11 a clerk who isn't in group brainchild sees whom to ask for Labels, and nothing about labels is requested", async ({
  openAs,
}) => {
  const page = await openAs("clerk");
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await openPath(page, "/label/");
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { name: "You don't have access to Labels." })).toBeVisible();
  await expect(main).toContainText("Ask your administrator or contact us.");
  await expect(page.getByRole("tab")).toHaveCount(0);
  expect(asked.filter((path) => path.startsWith("/api/v1/labels"))).toEqual([]);
});

/** Signs the owner in with nine companies, which Settings is opened with. */
async function openWithNine(page: Page) {
  const more = Array.from({ length: 7 }, (_, index) => ({
    id: `${900 + index}`,
    name: `Client ${index}`,
    admin: "",
  }));
  // The page comes with the current company only, and reads the others.
  await page.route(/\/(settings\/|api\/v1\/user)$/, async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text())
      .replace(
        '"companies":[',
        () => `"companies":[${more.map((company) => `${JSON.stringify(company)},`).join("")}`,
      )
      .replace(/"company_count":2/, '"company_count":9');
    await route.fulfill({ response: answer, body });
  });
  await openPath(page, "/settings/");
}

test("SE-24 with eight companies a search field finds one by its name", async ({ openAs }) => {
  const page = await openAs("owner");
  await openWithNine(page);
  await expect(page.getByRole("radio")).toHaveCount(9);
  await page.getByRole("searchbox", { name: "Find a company" }).fill("client 3");
  await expect(page.getByRole("radio")).toHaveCount(1);
  await page.getByRole("searchbox", { name: "Find a company" }).fill("nobody");
  await expect(page.getByText("No company by that name")).toBeVisible();
});

test("SE-24 AY-01 on a phone the switch in the bar finds one of nine companies", async ({ openAs }) => {
  const page = await openAs("owner", { viewport: { width: 375, height: 700 }, hasTouch: true });
  await openWithNine(page);
  const opener = page.getByRole("banner").getByRole("button", { name: /^Company / });
  await opener.tap();
  await page.getByRole("combobox", { name: "Find a company" }).fill("client 3");
  await expect(page.getByRole("listbox", { name: "Companies" }).getByRole("option")).toHaveCount(1);
  await expectAccessible(page, "company switch, open", [375]);
  await page.getByRole("option", { name: "Client 3" }).tap();
  await expect(opener).toHaveText(/Client 3/);
  await expect(page.getByRole("radio", { name: "Client 3" })).toBeChecked();
});
