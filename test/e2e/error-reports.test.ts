import { expect, test } from "./product.ts";
import { openPath } from "./support/visit.ts";
import { watch, failList } from "./support/error-reports.ts";

test("GEN-10 GEN-11 AU-09 AP-32 RP-08 a failed query is reported to our own server with release, branch, environment and user, and operators read it", async ({
  openAs,
  product,
}) => {
  const page = await openAs("owner");
  const { events, origins, texts } = watch(page);
  await failList(page, 500);
  const kept = page.waitForResponse((response) => response.url().endsWith("/telemetry/errors"));
  await openPath(page, "/app/");
  expect((await kept).status()).toBe(200);
  expect(texts()).toEqual(["Answer 500"]);
  expect(events[0]).toMatchObject({
    release: expect.stringMatching(/^dockside@\d/),
    environment: "production",
    transaction: "/app/",
    tags: { branch: "main", status: 500, request_id: "r-77" },
    user: { username: expect.any(String), name: "Olive Owner", email: "owner@acme.example" },
  });
  expect([...origins]).toEqual([product.url]);
  const admin = await openAs("platform");
  await openPath(admin, "/controller/errors");
  const entry = admin.getByRole("row").filter({ hasText: "ApiError: Answer 500" });
  await expect(entry).toContainText("r-77");
  await entry.getByRole("button", { name: /^Where/ }).click();
  await expect(admin.getByRole("dialog", { name: "Where it happened" })).toContainText("/assets/");
  await admin.getByRole("button", { name: "Close" }).click();
  await admin.getByRole("searchbox", { name: "Message, email, or support ID" }).fill("r-no");
  await expect(admin.getByText(/^No results for "r-no"/)).toBeVisible();
  await admin.getByRole("searchbox", { name: "Message, email, or support ID" }).fill("r-77");
  await expect(entry).toBeVisible();
});
