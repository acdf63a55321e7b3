import { expect, test } from "vitest";
import { listCompanies } from "#features/companies/contract.ts";
import { createBrowser } from "../../test/support/browser.ts";
import { driveIntuit } from "../../test/support/intuit.ts";
import { startProduct } from "../../test/support/run-product.ts";
import { expectStartRefused, createDatabaseWithTwoUsers } from "../../test/support/two-users.ts";

test("OP-06 a user of the database without the right to make tables is one sentence, and another user may make them", async () => {
  const users = await createDatabaseWithTwoUsers();
  const { plain, place, urls, query } = users;
  expect(await expectStartRefused(users, { DATABASE_URL: urls.DATABASE_URL })).toBe(
    `The user ${plain} of DATABASE_URL can't be used for this database: permission denied for schema public; make it the owner of the database and its tables, or set MIGRATION_DATABASE_URL to a user that is.\n`,
  );
  // The second start needs no more than the plain user.
  for (const env of [urls, { DATABASE_URL: urls.DATABASE_URL }]) {
    const product = await startProduct(place, env);
    const browser = createBrowser(product.url, driveIntuit(product.intuitUrl));
    await browser.signIn("owner@acme.example");
    expect((await browser.call(listCompanies)).json()).toMatchObject({
      companies: [{ name: "Acme Tools" }, {}],
    });
    await product.stop();
  }
  await query(`revoke update on run from ${plain}`);
  expect(await expectStartRefused(users, { DATABASE_URL: urls.DATABASE_URL })).toBe(
    `The user ${plain} of DATABASE_URL can't be used for this database: it lacks update on run; make it the owner of the database and its tables, or set MIGRATION_DATABASE_URL to a user that is.\n`,
  );
});
