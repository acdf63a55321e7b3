import type { Page } from "@playwright/test";
import { endLink } from "#features/carrier/contract.ts";
import { changeService } from "#features/companies/contract.ts";
import { createBrowser } from "../support/browser.ts";
import { driveIntuit } from "../support/intuit.ts";
import type { Product } from "../support/run-product.ts";
import { expect, test } from "./product.ts";
import { openPath } from "./support/visit.ts";

const ACME = "9130357849016936";
const SECTION = "/settings/?section=tracking";

const group = (page: Page) => page.getByRole("form", { name: "Carrier account" });
const account = (page: Page) => group(page).getByRole("textbox", { name: "UPS account" });

/** The Tracking Service is on without payment. */
async function grantTracking({ url, intuitUrl }: Product) {
  const operator = createBrowser(url, driveIntuit(intuitUrl));
  await operator.signIn("platform@dockside.example");
  const grant = {
    realm_id: ACME,
    service: "tracking",
    state: "active",
    until: null,
    reason: "test",
  } as const;
  expect((await operator.call(changeService, { json: grant })).status).toBe(200);
}

/** The demo's account is disconnected. */
async function disconnect({ url, intuitUrl }: Product) {
  const owner = createBrowser(url, driveIntuit(intuitUrl));
  await owner.signIn("owner@acme.example");
  expect((await owner.call(endLink, { query: { realm_id: ACME } })).status).toBe(200);
}

/** Asks to connect an account, and chooses a UPS ID on UPS's page. */
async function connect(
  page: Page,
  { number, user, decision }: { number: string; user: string; decision: string },
) {
  await account(page).fill(number);
  await group(page).getByRole("button", { name: "Connect", exact: true }).click();
  await expect(page.getByText("Dockside would like to use your UPS account.")).toBeVisible();
  await page.getByRole("radio", { name: user }).check();
  await page.getByRole("button", { name: decision }).click();
}

test("GEN-07 TR-03 TR-14 TR-16 TR-17 TR-18 TR-21 ER-05 UC-01 UC-02 UC-03 UC-05 UC-07 a UPS account is connected at UPS and disconnected in Settings", async ({
  openAs,
  product,
}) => {
  await grantTracking(product);
  await disconnect(product);
  const page = await openAs("owner");
  await openPath(page, SECTION);
  await expect(group(page).getByText("Not connected")).toBeVisible();
  await account(page).fill("12345");
  await group(page).getByRole("button", { name: "Connect", exact: true }).click();
  const alert = group(page).getByRole("alert");
  await expect(alert).toContainText("Error Connecting");
  await expect(alert).toContainText("A UPS account number has 6 letters and digits, such as 1A2B3C.");
  const sent: unknown[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/connect-ups"))
      sent.push(request.postDataJSON());
  });
  let goOn = () => undefined as void;
  const isSeen = new Promise<void>((resolve) => (goOn = resolve));
  await page.route("**/api/v1/company/connect-ups", async (route) => {
    await isSeen;
    await route.continue();
  });
  await connect(page, { number: "1a2b3c", user: "Sam Shipper", decision: "Allow" });
  await expect(page.getByText("Completing connection to UPS ...")).toBeVisible();
  await expect(page.getByRole("progressbar", { name: "Completing connection to UPS ..." })).toBeVisible();
  await expect.poll(() => new URL(page.url()).search).toBe("");
  goOn();
  await expect(page.getByText("UPS account connected.")).toBeVisible();
  expect(new URL(page.url()).search).toBe("?section=tracking");
  expect(sent).toEqual([{ code: expect.any(String), state: expect.any(String) }]);
  await expect(group(page).getByText("Connected ••2B3C")).toBeVisible();
  await expect(account(page)).toHaveValue("1A2B3C");
  await expect(group(page).getByRole("button")).toHaveText(["Disconnect"]);
  await group(page).getByRole("button", { name: "Disconnect" }).click();
  await expect(group(page).getByText("Not connected")).toBeVisible();
  await expect(account(page)).toHaveValue("");
});

test("TR-19 UC-04 UC-06 ER-09 a refusal at UPS, a UPS ID without the account, and an incomplete answer say why; nothing is connected", async ({
  openAs,
  product,
}) => {
  await grantTracking(product);
  await disconnect(product);
  const page = await openAs("owner");
  const failed = async (reason: string) => {
    const alert = page.getByRole("main").getByRole("alert");
    await expect(alert).toContainText("Error connecting to UPS!");
    await expect(alert).toContainText(reason);
    await page.getByRole("link", { name: "Back to Settings" }).click();
    await expect(group(page).getByText("Not connected")).toBeVisible();
  };
  await openPath(page, SECTION);
  await connect(page, { number: "1A2B3C", user: "Sam Shipper", decision: "Refuse" });
  await failed("The user refused the request.");
  await connect(page, { number: "1A2B3C", user: "Nora Newcomer", decision: "Allow" });
  await failed("The UPS ID you signed in with can't use account 1A2B3C.");
  await openPath(page, "/ups-callback?code=1");
  await failed("The answer from UPS was incomplete.");
  await connect(page, { number: "1A2B3C", user: "Sam Shipper", decision: "Allow" });
  await expect(page.getByText("UPS account connected.")).toBeVisible();
  await page.route("**/connect-ups?*", (route) => route.abort());
  await group(page).getByRole("button", { name: "Disconnect" }).click();
  await expect(group(page).getByRole("alert")).toContainText("Error Disconnecting");
  await page.unroute("**/connect-ups?*");
  await group(page).getByRole("button", { name: "Disconnect" }).click();
  await expect(group(page).getByText("Not connected")).toBeVisible();
});
