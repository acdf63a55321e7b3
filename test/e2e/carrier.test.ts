import { expect, test } from "./product.ts";
import { openPath } from "./support/visit.ts";
import { grantTracking } from "./support/services.ts";
import { SECTION, group, account, disconnect, connect } from "./support/carrier.ts";

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
