import { expect, test } from "./product.ts";
import { expectReadingOrder, pressOn, tabTo, tabThroughPage } from "./support/keyboard.ts";
import { chooseOnConsentPage, openPath, type Who } from "./support/visit.ts";

test.describe.configure({ mode: "parallel" });

const WALKS: readonly [Who, string, readonly string[]][] = [
  ["guest", "/", ["Get Started", "Sign in with Intuit", "License"]],
  ["guest", "/app/", ["Sign in with Intuit"]],
  ["owner", "/app/", ["Choose spreadsheet", "Download template", "Reset demo data"]],
  ["owner", "/app/?form=1", ["Invoice No, row 2", "Customer Memo, row 11", "Add 10 rows"]],
  ["owner", "/app/?names=1", ["Back to uploads"]],
  ["owner", "/add-in/", []],
  ["owner", "/tracking/", ["Turn it on in Settings"]],
  ["owner", "/settings/", ["Add New Company", "Disconnect Acme Tools"]],
  ["owner", "/payment-completion/", ["Settings"]],
  ["labels", "/label/", []],
  ["owner", "/ups-callback/", ["Settings"]],
  ["owner", "/disconnect/", ["Disconnect Acme Tools", "Keep connected"]],
  ["clerk", "/disconnect/", ["Settings"]],
  ["owner", "/contact/", ["Send"]],
  ["platform", "/controller/", []],
  ["guest", "/get-app/", ["Connect to QuickBooks", "What happens to my data?"]],
  ["guest", "/end-user-license-agreement/", ["Who agrees"]],
  ["guest", "/privacy-policy/", ["What is kept"]],
  ["guest", "/login/failed?reason=expired&support_id=r1", ["Try again", "Home", "Copy"]],
  ["owner", "/logout/confirm", []],
  ["guest", "/no-such-page", []],
];

for (const [who, path, stops] of WALKS) {
  test(`AY-02 TH-22 at ${path} ${who} reaches everything by keyboard in reading order with a visible focus ring, and can leave the page`, async ({
    openAs,
  }) => {
    const page = await openAs(who, { reducedMotion: "reduce" });
    await openPath(page, path);
    const walked = await tabThroughPage(page);
    expect(walked[0]?.name).toBe("Skip to main content");
    expectReadingOrder(walked, [...stops, "Privacy"]);
  });
}

test("AY-02 a message is written and sent by keyboard alone, and read in Admin's inbox", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  await openPath(page, "/contact/");
  await tabTo(page, "Topic");
  await page.keyboard.type("L");
  await tabTo(page, "Message");
  await page.keyboard.type("Sent without a mouse.");
  await pressOn(page, "Send", "Enter");
  await expect(page.getByText("Thank you. We'll reply within two business days.").first()).toBeVisible();

  const admin = await openAs("platform");
  await openPath(admin, "/");
  await pressOn(admin, "Admin", "Enter");
  await expect(admin.getByRole("heading", { level: 1 })).toBeVisible();
  await pressOn(admin, /^Messages/, "Enter");
  await expect(admin.getByRole("row").filter({ hasText: "Sent without a mouse." })).toContainText("Labels");
});

test("AY-02 a company is connected, disconnected and reconnected by keyboard alone", async ({ openAs }) => {
  const page = await openAs("nocompany");
  await openPath(page, "/settings/");
  await tabTo(page, "Connect to QuickBooks");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/get-app\/$/);
  await pressOn(page, "Connect to QuickBooks", "Enter");
  await chooseOnConsentPage(page, { user: "Nia New", company: "Newcomer Trading" });
  await expect(page).toHaveURL(/\/settings\/\?connected=/);
  await expect(page.getByRole("radio", { name: "Newcomer Trading" })).toBeChecked();
  await pressOn(page, "Disconnect Newcomer Trading", "Enter");
  await expect(page.locator("h1")).toHaveText("Disconnect Newcomer Trading?");
  await pressOn(page, "Disconnect Newcomer Trading", "Enter");
  await expect(page.locator("h1")).toHaveText("Newcomer Trading is disconnected");
  await expect(page.locator("h1")).toBeFocused();
  await pressOn(page, "Reconnect", "Enter");
  await expect(page).toHaveURL(/\/get-app\//);
});
