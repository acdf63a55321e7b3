import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import type { Product } from "../../support/run-product.ts";
import { signalServer } from "../../support/signal-server.ts";
import { expect, test } from "../product.ts";
import { openPath } from "../support/visit.ts";
import { choose, openUpload, uploadButton, workbook } from "../support/workbooks.ts";

/** Lets the product's database freeze, as on a machine that hangs, or go on. */
function signalDatabase({ folder }: Product, signal: "SIGSTOP" | "SIGCONT"): void {
  const [pid] = readFileSync(join(folder, "postgres/database/postmaster.pid"), "utf8").split("\n");
  signalServer(Number(pid), signal);
}

const notice = (page: Page) => page.getByText("We can't reach our database right now.", { exact: true });

test("HA-05 while the database is away each page says so in one sentence; typed text, the chosen file and the session stay, and the file is posted once", async ({
  product,
  openAs,
}) => {
  const typing = await openAs("owner");
  await openPath(typing, "/app/?form=1");
  await typing.getByLabel("Customer, row 2").fill("Cool Cars");
  const sending = await typing.context().newPage();
  await openPath(sending, "/app/");
  await choose(sending, "away.xlsx", await workbook(["AWAY-1"]));
  signalDatabase(product, "SIGSTOP");
  try {
    await uploadButton(sending).click();
    await typing.reload({ waitUntil: "commit" });
    for (const page of [sending, typing]) {
      // Each call to a frozen server takes its whole limit.
      await expect(notice(page)).toBeVisible({ timeout: 60_000 });
      await expect(notice(page)).toHaveCount(1);
      await expect(page.getByRole("alert")).toHaveCount(0);
    }
    await expect(sending.getByText(/^We'll keep trying to send your file/)).toBeVisible();
  } finally {
    signalDatabase(product, "SIGCONT");
  }
  await expect((await openUpload(sending, "away.xlsx")).getByText("1 invoice posted.")).toBeVisible();
  await expect(sending.getByRole("article", { name: "away.xlsx" })).toHaveCount(1);
  await expect(typing.getByLabel("Customer, row 2")).toHaveValue("Cool Cars");
  for (const page of [sending, typing]) await expect(notice(page)).toHaveCount(0);
});
