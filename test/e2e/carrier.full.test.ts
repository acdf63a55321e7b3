import { expect, test } from "./product.ts";
import { openPath } from "./support/visit.ts";
import { grantTracking } from "./support/services.ts";
import { SECTION, group, disconnect, connect } from "./support/carrier.ts";

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
  await failed("UPS's answer was incomplete. Connect again in Settings.");
  await connect(page, { number: "1A2B3C", user: "Sam Shipper", decision: "Allow" });
  await expect(page.getByText("UPS account connected.")).toBeVisible();
  await page.route("**/connect-ups?*", (route) => route.abort());
  await group(page).getByRole("button", { name: "Disconnect" }).click();
  await expect(group(page).getByRole("alert")).toContainText("Error Disconnecting");
  await page.unroute("**/connect-ups?*");
  await group(page).getByRole("button", { name: "Disconnect" }).click();
  await expect(group(page).getByText("Not connected")).toBeVisible();
});
