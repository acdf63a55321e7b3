import { expect, test } from "./product.ts";
import { expectAccessible, expectNoAxeViolations } from "./support/barriers.ts";
import { listLoadedFonts } from "./support/fonts.ts";

test("the page of the API shows and finds calls without an error or a barrier, wide in light and narrow in dark colors, in the scheme that the user chose", async ({
  openAs,
  product,
}) => {
  const page = await openAs("guest", { reducedMotion: "reduce" });
  const errors: string[] = [];
  const foreign: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(product.url)) foreign.push(request.url());
  });
  await page.goto("/api/");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("API");
  const call = page.getByText("/api/v1/partner/orders", { exact: true });
  await expect(call).toBeVisible();
  await call.click();
  await expect(page.getByText(/^{\s+partner\?: string/)).toBeVisible();
  await expectAccessible(page, "the page of the API");
  await expect(page.locator("body")).toHaveCSS("margin", "0px");

  await expect.poll(() => listLoadedFonts(page)).toContain("Lato 400");

  const search = page.getByRole("button", { name: "Search" });
  const calls = page.locator("summary").filter({ hasText: "/api/v1/" });
  const withKeys = calls.filter({ hasText: "API key" });
  await page.getByRole("searchbox", { name: "Search calls" }).fill("receipt");
  await search.click();
  await expect(page.getByRole("status")).toHaveText(/^1 of \d+ calls$/);
  await expect(page.getByRole("searchbox", { name: "Search calls" })).toHaveValue("receipt");
  await expect(page.getByText(`curl -X GET '${product.url}/api/v1/invoices/`)).toBeVisible();

  await page.getByRole("searchbox", { name: "Search calls" }).fill("orders");
  await search.click();
  await expect(page).toHaveURL(/q=orders$/);
  // The address changes before its page is read.
  await page.waitForLoadState();
  const [all, forKeys] = [await calls.count(), await withKeys.count()];
  expect(forKeys).toBeGreaterThan(0);
  expect(all).toBeGreaterThan(forKeys);
  await page.getByRole("checkbox", { name: "Only calls for API keys" }).check();
  await search.click();
  await expect(page.getByRole("status")).toHaveText(new RegExp(`^${forKeys} of \\d+ calls$`));
  await expect(page.getByRole("checkbox", { name: "Only calls for API keys" })).toBeChecked();
  await expect(withKeys).toHaveCount(forKeys);
  await expect(calls).toHaveCount(forKeys);

  await page.evaluate(() => localStorage.setItem("colorMode", "dark"));
  await page.reload();
  await expect(page.locator("body")).toHaveCSS("background-color", "rgb(18, 18, 18)");
  await expectNoAxeViolations(page, "a call in dark colors", "dark");
  expect([errors, foreign]).toEqual([[], []]);
});
