import { randomBytes } from "node:crypto";
import pg from "pg";
import { expect, inject, onTestFinished } from "vitest";
import { databaseUrl } from "./database.ts";
import { runOperate } from "./operate.ts";
import {
  createInstance,
  productEnvironment,
  removeInstance,
  spawnProduct,
  untilClosed,
} from "./run-product.ts";

/** An empty database, with a user who owns it and one who may only connect to it. */
export async function createDatabaseWithTwoUsers() {
  const name = `test_${inject("databaseRun")}_${randomBytes(6).toString("hex")}`;
  const [owner, plain] = [`${name}_owner`, `${name}_plain`];
  const server = new pg.Client({ connectionString: inject("databaseUrl") });
  await server.connect();
  const password = "a-password";
  for (const user of [owner, plain]) await server.query(`create role ${user} login password '${password}'`);
  await server.query(`create database ${name} owner ${owner}`);
  const place = await createInstance();
  onTestFinished(async () => {
    await server.query(`drop database ${name} with (force)`);
    for (const user of [owner, plain]) await server.query(`drop role ${user}`);
    await server.end();
    await removeInstance(place);
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

type Users = Awaited<ReturnType<typeof createDatabaseWithTwoUsers>>;

/** Starts the product in a setup that it must refuse. @returns what it prints */
export async function expectStartRefused({ place }: Users, env: Record<string, string>): Promise<string> {
  const { child, output } = spawnProduct({ ...productEnvironment(place), ...env });
  await untilClosed(child);
  expect(child.exitCode).toBe(1);
  return output();
}

/** Runs an operator command. @returns what it prints */
export const operate = async ({ place }: Users, env: Record<string, string>, ...args: string[]) =>
  (await runOperate({ ...productEnvironment(place), ...env }, ...args)).output;
