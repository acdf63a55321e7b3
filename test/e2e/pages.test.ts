import { expect, test } from "./product.ts";
import { chooseOnConsentPage, openPath } from "./support/visit.ts";

test("CT-01 CT-02 AY-07 a signed-in user's message, prefilled as far as known, arrives in Admin", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  await openPath(page, "/contact/?support_id=req-77");
  await expect(page.getByRole("textbox", { name: "Name" })).toHaveValue("Olive Owner");
  await expect(page.getByRole("textbox", { name: "Email" })).toHaveValue("owner@acme.example");
  await expect(page.getByRole("textbox", { name: "Support ID" })).toHaveValue("req-77");
  await page.getByRole("combobox", { name: "Topic" }).selectOption("Labels");
  await page.getByRole("textbox", { name: "Message" }).fill("Which paper do you advise?");
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByText("Thank you. We'll reply within two business days.").first()).toBeVisible();
  await expect(page.locator("[aria-live=polite]")).toHaveText(/^Thank you\./);

  const admin = await openAs("platform");
  await openPath(admin, "/controller/messages");
  const message = admin.getByRole("row").filter({ hasText: "Which paper do you advise?" });
  await expect(message.getByRole("cell").first()).toHaveText("Olive Owner (owner@acme.example)");
  await expect(message).toContainText("Labels");
  await expect(message).toContainText("req-77");
});

test("LG-01 LG-03 LO-01 LO-02 signing in leads to the user's start page, signing out to the landing page with a notice", async ({
  product,
  openAs,
}) => {
  for (const [user, path] of [
    ["Olive Owner", "/app/"],
    ["Lara Labels", "/label/"],
    ["Paul Plain", "/settings/"],
  ] as const) {
    const page = await openAs("guest");
    await page.goto("/login/");
    expect(page.url()).toContain(product.intuitUrl);
    await chooseOnConsentPage(page, { user });
    await expect(page).toHaveURL(`${product.url}${path}`);
    await page.getByRole("link", { name: "Sign out" }).click();
    await expect(page.getByRole("main").getByText("You are signed out.")).toBeVisible();
    expect((await page.request.get("/api/v1/user")).status()).toBe(401);
    await page.context().close();
  }
});

test("DC-01 DC-02 SE-08 SE-09 GA-01 GA-02 disconnecting asks first, revokes access, and offers to reconnect", async ({
  openAs,
}) => {
  const page = await openAs("nocompany");
  await openPath(page, "/settings/");
  await expect(page.getByText("You have no companies connected.")).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: "Connect to QuickBooks" }).click();
  await page.getByRole("link", { name: "Connect to QuickBooks" }).click();
  await chooseOnConsentPage(page, { user: "Nia New", company: "Newcomer Trading" });
  await expect(page).toHaveURL(/\/settings\/\?connected=9130357849016952$/);
  await expect(page.getByText("Newcomer Trading is connected.").first()).toBeVisible();
  await expect(page.getByRole("radio", { name: "Newcomer Trading" })).toBeChecked();
  await page.getByRole("link", { name: "Disconnect Newcomer Trading" }).click();
  await expect(page).toHaveURL(/\/disconnect\/\?realm_id=9130357849016952$/);
  await expect(page.locator("h1")).toHaveText("Disconnect Newcomer Trading?");
  await expect(page.getByText("You're signed in as Nia New (new@newcomer.example).")).toBeVisible();
  await expect(page.getByText(/^Everything in QuickBooks/)).toBeVisible();
  await page.getByRole("button", { name: "Disconnect Newcomer Trading" }).click();
  await expect(page.locator("h1")).toHaveText("Newcomer Trading is disconnected");
  await expect(page.getByText(/^Access ended /)).toBeVisible();
  await page.getByRole("link", { name: "Reconnect" }).click();
  await page.getByRole("link", { name: "Connect to QuickBooks" }).click();
  await chooseOnConsentPage(page, { user: "Nia New", company: "Newcomer Trading" });
  await expect(page).toHaveURL(/\/app\/\?connected=9130357849016952$/);
  await expect(page.getByText("Newcomer Trading is connected.").first()).toBeVisible();
  await expect(page.getByText("You can upload invoices now.")).toBeVisible();

  await openPath(page, "/disconnect/?realmId=9130357849016952");
  await expect(page.locator("h1")).toHaveText("Disconnect Newcomer Trading?");
  await expect(page.getByText(/^Newcomer Trading is still connected here\./)).toBeVisible();
  await page.getByRole("button", { name: "Disconnect Newcomer Trading" }).click();
  await expect(page.locator("h1")).toHaveText("Newcomer Trading is disconnected");
  await openPath(page, "/disconnect/?realmId=9130357849016952");
  await expect(page.locator("h1")).toHaveText("Disconnected in QuickBooks?");
  await expect(
    page.getByText(/^You aren't a user of this company, or it's already disconnected/),
  ).toBeVisible();
});
