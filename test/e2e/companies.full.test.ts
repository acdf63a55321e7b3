import type { Page } from "@playwright/test";
import { XLSX_MEDIA_TYPE } from "#features/sheets/contract.ts";
import { labelWorkbook } from "../support/labels.ts";
import { expect, test } from "./product.ts";
import { watchAnnouncements } from "./support/announcements.ts";
import { moveUntil, pause } from "./support/clock.ts";
import { chooseOnConsentPage, openPath } from "./support/visit.ts";
import { uploadSample } from "./support/workbooks.ts";

test.describe.configure({ mode: "parallel" });

const ACME = "9130357849016936";
const BAY = "9130357849016944";
const stored = (page: Page) => page.evaluate(() => localStorage.getItem("realmId"));
const choose = (page: Page, name: string) =>
  page.getByRole("banner").getByRole("combobox", { name: "Company" }).selectOption(name);

test("US-12 the field accepts an e-mail, the server says how one is written, and it is stored trimmed and in lower case", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  await openPath(page, "/settings/?section=users");
  const field = page.getByRole("textbox", { name: "Email of the new user" });
  await expect(field).toHaveAttribute("type", "email");
  const add = page.getByRole("button", { name: "Add User" });
  const alert = page.getByRole("alert");
  for (const wrong of ["someone at acme", "someone@acme", "@acme.example"]) {
    await field.fill(wrong);
    await add.click();
    await expect(alert).toContainText("Enter an email address in the format name@example.com.");
    await expect(field).toHaveValue(wrong);
  }
  await field.fill("  New.Person@Acme.Example ");
  await add.click();
  const users = page.getByRole("list", { name: "Users of this company" });
  await expect(users.getByRole("listitem").filter({ hasText: "new.person@acme.example" })).toHaveCount(1);
  await expect(alert).toHaveCount(0);
});

test("US-09 US-14 QC-22 a removed user's open page loses the company within a second, and gets it back when the removal is undone", async ({
  openAs,
}) => {
  const owner = await openAs("owner");
  const clerk = await openAs("clerk");
  const listens = clerk.waitForResponse((response) => response.url().endsWith("/api/v1/changes"));
  await clerk.clock.install();
  await openPath(clerk, "/settings/");
  await openPath(owner, "/settings/?section=users");
  await listens;
  await pause(clerk);
  const removed = owner.waitForResponse((response) => response.request().method() === "DELETE");
  await owner.getByRole("button", { name: "Remove clerk@acme.example" }).click();
  await removed;
  const lost = clerk.getByText("You have no companies connected.");
  expect(await moveUntil(clerk, () => lost.isVisible(), 1)).toBeLessThan(1_000);
  await clerk.clock.resume();
  await owner.getByRole("button", { name: "Undo" }).click();
  await expect(clerk.getByRole("radio", { name: "Acme Tools" })).toBeChecked();
});

test("CO-13 two tabs work for two companies, and every call names the company on its own screen", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  await openPath(page, "/app/");
  const other = await page.context().newPage();
  await openPath(other, "/app/");
  await choose(other, "Bay Supply");
  await expect(other.getByText(/^You are connected to Bay Supply/)).toBeVisible();
  await expect(page.getByText(/^You are connected to Acme Tools/)).toBeVisible();
  // A tab may still ask for its own list while the other uploads.
  const realms = { one: new Set<string | undefined>(), other: new Set<string | undefined>() };
  for (const [name, tab] of [
    ["one", page],
    ["other", other],
  ] as const)
    tab.on("request", (request) => {
      if (request.url().includes("/api/v1/invoices")) realms[name].add(request.headers()["x-realm-id"]);
    });
  const upload = async (tab: Page) => {
    await openHere(tab);
    await uploadSample(tab, "good");
    await expect(tab.getByText(/12 invoices posted/).first()).toBeVisible();
  };
  await upload(page);
  await expect(other.getByText("No recent uploads to this company.")).toBeVisible();
  await upload(other);
  expect(realms).toEqual({ one: new Set([ACME]), other: new Set([BAY]) });
});

test("CO-12 two tabs on Labels work for two companies: labels belong to the company on screen, whichever the session had last", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  await openPath(page, "/label/");
  const other = await page.context().newPage();
  await openPath(other, "/label/");
  const switched = other.waitForResponse((response) => response.url().includes("/api/v1/user/company"));
  await choose(other, "Bay Supply");
  await switched;
  const realms = new Set<string | undefined>();
  page.on("request", (request) => {
    if (request.url().includes("/api/v1/labels")) realms.add(request.headers()["x-realm-id"]);
  });
  const buffer = Buffer.from(await labelWorkbook([{ "PO Number": "CO-12" }]));
  await page
    .getByLabel("Label upload file")
    .setInputFiles({ name: "two-tabs.xlsx", mimeType: XLSX_MEDIA_TYPE, buffer });
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  await download;
  expect([...realms]).toEqual([ACME]);
  const hasUpload = async (realmId: string) => {
    const reply = await page.request.get("/api/v1/labels/uploads", { headers: { "x-realm-id": realmId } });
    return (await reply.text()).includes("two-tabs.xlsx");
  };
  expect([await hasUpload(ACME), await hasUpload(BAY)]).toEqual([true, false]);
});

test("CO-05 SE-03 when one of two companies is disconnected, the other becomes current", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  // The company stays connected for the other tests.
  await page.route("**/api/v1/company/disconnect?*", (route) =>
    route.fulfill({ json: { disconnected_at: "2027-03-03T15:42:00.000Z", waiting_uploads: 0 } }),
  );
  await openPath(page, "/disconnect/");
  expect(await stored(page)).toBe(ACME);
  await page.getByRole("button", { name: "Disconnect Acme Tools" }).click();
  await expect(page.locator("h1")).toHaveText("Acme Tools is disconnected");
  await expect.poll(() => stored(page)).toBe(BAY);
  await page.getByRole("main").getByRole("link", { name: "Settings" }).click();
  await expect(page.getByRole("radio")).toHaveCount(1);
  await expect(page.getByRole("radio", { name: "Bay Supply" })).toBeChecked();
});

test("CO-14 without browser storage the app works, and the choice lasts as long as the page", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  await page.addInitScript(() => {
    for (const name of ["localStorage", "sessionStorage"])
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException("Denied", "SecurityError");
        },
      });
  });
  await openPath(page, "/settings/");
  await page.getByRole("radio", { name: "Bay Supply" }).click();
  await page.getByRole("link", { name: "Invoices", exact: true }).click();
  await expect(page.getByText(/^You are connected to Bay Supply/)).toBeVisible();
  await page.getByRole("link", { name: "Contact" }).click();
  await page.getByRole("textbox", { name: "Message" }).fill("No storage here.");
  await page.getByRole("button", { name: "Hide this notice" }).click();
  await expect(page.getByRole("textbox", { name: "Message" })).toHaveValue("No storage here.");
});

test("GA-03 SE-08 AY-07 connecting a company is announced, and another user who connects it is shown whom to ask", async ({
  openAs,
}) => {
  const page = await openAs("nocompany");
  await connect(page, "Nia New");
  await expect(page).toHaveURL(/\/app\//);
  await expect(page.locator("[aria-live=polite]")).toHaveText("Newcomer Trading is connected.");

  const other = await openAs("platform");
  await connect(other, "Pia Platform");
  await expect(other).toHaveURL(/\/get-app\/\?error=already_connected/);
  await expect(other.getByRole("main")).toContainText(
    "Newcomer Trading is already connected. Ask new@newcomer.example to add you.",
  );
  await openPath(other, "/settings/");
  await expect(other.getByRole("radio", { name: "Newcomer Trading" })).toHaveCount(0);

  await openPath(page, "/disconnect/");
  const announced = await watchAnnouncements(page);
  await page.getByRole("button", { name: "Disconnect Newcomer Trading" }).click();
  await expect.poll(announced).toContain("Newcomer Trading is disconnected");
});

/** Connects Newcomer Trading through Intuit's page, as a user does. */
async function connect(page: Page, user: string) {
  await openPath(page, "/get-app/");
  await page.getByRole("link", { name: "Connect to QuickBooks" }).click();
  await chooseOnConsentPage(page, { user, company: "Newcomer Trading" });
}

/** Goes to Upload within the page, so that the tab keeps its company. */
async function openHere(tab: Page) {
  await tab.getByRole("link", { name: "Invoices", exact: true }).click();
  await expect(tab.locator("h1")).toHaveText("Dockside Upload");
}

test("US-18 QC-22 OP-19 another browser of the admin sees at once that the company was handed over", async ({
  openAs,
  signIn,
  product,
}) => {
  const clerk = await openAs("clerk");
  const owner = await openAs("owner");
  const second = await openAs("guest");
  await signIn(second, "Olive Owner");
  const listens = second.waitForResponse((response) => response.url().endsWith("/api/v1/changes"));
  await openPath(second, "/settings/?section=users");
  await listens;
  await expect(second.getByRole("button", { name: "Add User" })).toBeVisible();
  await openPath(owner, "/settings/?section=users");
  await owner.getByRole("button", { name: "Transfer admin role" }).click();
  await owner.getByRole("combobox", { name: "New company admin" }).selectOption("clerk@acme.example");
  await owner.getByRole("button", { name: "Transfer", exact: true }).click();
  await expect(second.getByText("Company admin: clerk@acme.example")).toBeVisible();
  await expect(second.getByRole("button", { name: "Add User" })).toHaveCount(0);
  await expect(second.getByRole("link", { name: "Disconnect Acme Tools" })).toHaveCount(0);
  const back = await clerk.request.post(
    `/api/v1/company/admin?realm_id=${ACME}&email=${encodeURIComponent("owner@acme.example")}`,
    { headers: { origin: product.url } },
  );
  expect(back.status()).toBe(200);
  await expect(second.getByRole("button", { name: "Add User" })).toBeVisible();
});
