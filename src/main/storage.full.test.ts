import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createBrowser } from "../../test/support/browser.ts";
import { ACME, BAY, driveIntuit } from "../../test/support/intuit.ts";
import { createInstance, removeInstance, runProduct, startProduct } from "../../test/support/run-product.ts";
import { openBucket } from "../../test/support/s3.ts";
import { readFiles, storeFiles } from "../../test/support/stored-files.ts";

test("OP-20 with files in S3, a killed product gives the same bytes of an upload and a label document after its restart, and keeps none in its folder", async () => {
  const [{ s3, env }, place] = [await openBucket(), await createInstance()];
  onTestFinished(() => removeInstance(place));
  const first = await runProduct(place, env);
  onTestFinished(async () => void (await first.stop()));
  const intuit = driveIntuit(first.intuitUrl);
  const signIn = async (email: string, realmId: string) => {
    const browser = createBrowser(first.url, intuit);
    await browser.signIn(email);
    await browser.connect(email, realmId);
    return browser;
  };
  const readers = {
    owner: await signIn("owner@acme.example", ACME),
    operator: await signIn("platform@dockside.example", BAY),
  };
  const id = await storeFiles(readers, s3);
  const before = await readFiles(readers, id);
  expect(before.map(({ length }) => length > 1_000)).toEqual([true, true]);
  await first.kill();
  const second = await startProduct(place, env);
  onTestFinished(async () => void (await second.stop()));
  expect(await readFiles(readers, id)).toEqual(before);
  expect(await readdir(join(place.folder, "objects"), { recursive: true })).toEqual(["incoming"]);
  const keys = [...s3.objects.keys()].filter((key) => key.startsWith("uploads/"));
  expect(keys).toEqual([`uploads/${id}.xlsx`]);
});
