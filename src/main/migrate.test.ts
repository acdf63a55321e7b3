import { randomBytes } from "node:crypto";
import pg from "pg";
import { expect, inject, onTestFinished, test } from "vitest";
import { listCompanies } from "#features/companies/contract.ts";
import { createBrowser } from "../../test/support/browser.ts";
import { databaseUrl } from "../../test/support/database.ts";
import { driveIntuit } from "../../test/support/intuit.ts";
import { runOperate } from "../../test/support/operate.ts";
import {
  findPlace,
  productEnvironment,
  removePlace,
  spawnProduct,
  startProduct,
  untilClosed,
} from "../../test/support/run-product.ts";

/** An empty database, with a user who owns it and one who may only connect to it. */
async function twoUsers() {
  const name = `test_${inject("databaseRun")}_${randomBytes(6).toString("hex")}`;
  const [owner, plain] = [`${name}_owner`, `${name}_plain`];
  const server = new pg.Client({ connectionString: inject("databaseUrl") });
  await server.connect();
  const password = "a-password";
  for (const user of [owner, plain]) await server.query(`create role ${user} login password '${password}'`);
  await server.query(`create database ${name} owner ${owner}`);
  const place = await findPlace();
  onTestFinished(async () => {
    await server.query(`drop database ${name} with (force)`);
    for (const user of [owner, plain]) await server.query(`drop role ${user}`);
    await server.end();
    await removePlace(place);
  });
  const urlFor = (user: string) => {
    const url = new URL(databaseUrl(inject("databaseUrl"), name));
    [url.username, url.password] = [user, password];
    return url.href;
  };
  const query = async (text: string) => {
    const client = new pg.Client({ connectionString: databaseUrl(inject("databaseUrl"), name) });
    await client.connect();
    await client.query(text);
    await client.end();
  };
  return {
    place,
    plain,
    urls: { DATABASE_URL: urlFor(plain), MIGRATION_DATABASE_URL: urlFor(owner) },
    query,
  };
}

type Users = Awaited<ReturnType<typeof twoUsers>>;

/** Starts the product where it can't. @returns what it prints */
async function refusedStart({ place }: Users, env: Record<string, string>): Promise<string> {
  const { child, output } = spawnProduct({ ...productEnvironment(place), ...env });
  await untilClosed(child);
  expect(child.exitCode).toBe(1);
  return output();
}

const operate = async ({ place }: Users, env: Record<string, string>, ...args: string[]) =>
  (await runOperate({ ...productEnvironment(place), ...env }, ...args)).output;

test("OP-06 a user of the database without the right to make tables is one sentence, and another user may make them", async () => {
  const users = await twoUsers();
  const { plain, place, urls, query } = users;
  expect(await refusedStart(users, { DATABASE_URL: urls.DATABASE_URL })).toBe(
    `The user ${plain} of DATABASE_URL can't be used for this database: permission denied for schema public; make it the owner of the database and its tables, or set MIGRATION_DATABASE_URL to a user that is.\n`,
  );
  expect(await operate(users, urls, "migrate")).toBe("The database is up to date.");
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
  expect(await refusedStart(users, { DATABASE_URL: urls.DATABASE_URL })).toBe(
    `The user ${plain} of DATABASE_URL can't be used for this database: it lacks update on run; make it the owner of the database and its tables, or set MIGRATION_DATABASE_URL to a user that is.\n`,
  );
});

test("OP-06 a database newer than the program is one sentence, for the product and for the operator's commands", async () => {
  const users = await twoUsers();
  await operate(users, users.urls, "migrate");
  await users.query("insert into kysely_migration (name, timestamp) values ('0099_next_year', '')");
  const sentence =
    "This database was made by a newer version of the product (by its migration 0099_next_year): start that version, or choose an empty DATA_DIR or DATABASE_URL.";
  expect(await refusedStart(users, users.urls)).toBe(`${sentence}\n`);
  expect(await operate(users, users.urls, "migrate")).toBe(sentence);
});
