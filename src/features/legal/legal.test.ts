import { sql } from "kysely";
import { expect, test } from "vitest";
import { readList, type ListRow } from "#features/admin/lists/contract.ts";
import { sendMessage } from "#features/legal/contract.ts";
import { startApp } from "../../../test/support/start-app.ts";

const MESSAGE = {
  name: "Nora Note",
  email: "nora@note.example",
  topic: "upload",
  message: "Row 3 says nothing about the item.",
  support_id: "req-7",
};

test("CT-02 a message sent from the contact page without signing in is listed for group admin only", async () => {
  const app = await startApp({ worker: false });
  expect((await app.browser().call(sendMessage, { json: MESSAGE })).status).toBe(200);
  const platform = app.browser();
  await platform.signIn("platform@dockside.example");
  const list = { params: { list: "messages" } };
  const { rows } = (await platform.call(readList, list)).json() as { rows: ListRow<"messages">[] };
  expect(rows).toEqual([{ ...MESSAGE, key: expect.any(String), sent_at: expect.any(String) }]);
  const owner = app.browser();
  await owner.signIn("owner@acme.example");
  expect((await owner.call(readList, list)).status).toBe(403);
});

test("CT-02 an empty message and an invalid address are refused with a sentence; nothing is stored", async () => {
  const app = await startApp({ worker: false });
  for (const wrong of [
    { message: "  " },
    { email: "nora" },
    { topic: "weather" },
    { name: "x".repeat(101) },
  ]) {
    const refused = await app.browser().call(sendMessage, { json: { ...MESSAGE, ...wrong } });
    expect(refused.status, JSON.stringify(wrong).slice(0, 40)).toBe(400);
  }
  expect((await sql`select from contact_message`.execute(app.db)).rows).toHaveLength(0);
});

test("CT-02 the sixth message within ten minutes is refused with the time to wait", async () => {
  const app = await startApp({ worker: false });
  const browser = app.browser();
  for (let index = 0; index < 5; index += 1) await browser.call(sendMessage, { json: MESSAGE });
  const refused = await browser.call(sendMessage, { json: MESSAGE });
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(500);
  expect((await sql`select from contact_message`.execute(app.db)).rows).toHaveLength(5);
});

test.each([
  { env: {}, forwarded: ["203.0.113.7", "203.0.113.8"], answers: [429, 429] },
  { env: { TRUST_PROXY: "1" }, forwarded: ["203.0.113.7", "203.0.113.8"], answers: [429, 200] },
  {
    env: { TRUST_PROXY: "1" },
    from: "2001:db8:1:2::1",
    forwarded: ["2001:db8:1:2::2", "2001:db8:1:3::1"],
    answers: [429, 200],
  },
  { env: { TRUST_PROXY: "1" }, forwarded: ["198.51.100.1, 203.0.113.7"], answers: [429] },
])(
  "CT-02 a sender is identified by our own proxy, not by their own claim ($env, $forwarded)",
  async ({ env, from = "203.0.113.7", forwarded, answers }) => {
    const app = await startApp({ worker: false, env });
    const send = (address: string) =>
      app.browser().call(sendMessage, { json: MESSAGE, headers: { "x-forwarded-for": address } });
    for (let index = 0; index < 5; index += 1) await send(from);
    const replies = [];
    for (const address of forwarded) replies.push((await send(address)).status);
    expect(replies).toEqual(answers);
  },
);

test("a database without space left says so, and asks users to try again later", async () => {
  const app = await startApp({ worker: false });
  await sql`create function run_out_of_space() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file' using errcode = '53100'; end $$`.execute(app.db);
  await sql`create trigger full_disk before insert on contact_message
    execute function run_out_of_space()`.execute(app.db);
  const refused = await app.browser().call(sendMessage, { json: MESSAGE });
  expect([refused.status, refused.headers.get("retry-after"), refused.json()]).toEqual([
    503,
    "5",
    expect.objectContaining({
      code: "database_full",
      detail: "The database has no space left. Tell this server's operator, and try again later.",
    }),
  ]);
});
