import { sql } from "kysely";
import { expect, test } from "vitest";
import { changeUser } from "#features/admin/contract.ts";
import { ACME } from "../../../test/support/intuit.ts";
import { setGroups } from "../../../test/support/members.ts";
import { startApp } from "../../../test/support/start-app.ts";
import { ENDPOINTS } from "../../main/endpoints.ts";

const OWNER = "owner@acme.example";
const OTHER = "platform@dockside.example";

test("an operator can block neither themself nor the last operator, also when two operators block each other at once", async () => {
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME, OWNER);
  const other = app.browser();
  await other.signIn(OTHER);
  await setGroups(app.db, ["admin"]);
  const block = (by: typeof owner, email: string, change = "block") =>
    by.call(changeUser, { json: { email, change, reason: "It was asked for" } });
  const refusal = { code: "own_user", detail: "You can't block yourself. Ask another operator." };
  const own = await block(owner, OWNER.toUpperCase());
  expect([own.status, own.json()]).toMatchObject([409, refusal]);
  const replies = await Promise.all([block(owner, OTHER), block(other, OWNER)]);
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from app_user
    where 'admin' = any(groups) and blocked_at is null`.execute(app.db);
  expect(rows).toEqual([{ count: 1 }]);
});

test("a reason of invisible characters is refused as empty, wherever one is asked for", () => {
  const withReason = Object.values(ENDPOINTS).filter(
    ({ body }) => body !== undefined && "shape" in body && "reason" in (body.shape as object),
  );
  expect(withReason.length).toBeGreaterThanOrEqual(7);
  for (const { path, body } of withReason)
    for (const reason of ["\u200b", " \u2060\u200d ", "\u3164", "\u2800", "\u00ad\ufeff", "\u{e0100}"]) {
      const issues = body?.safeParse({ reason }).error?.issues ?? [];
      const found = issues.filter((issue) => issue.path[0] === "reason").map(({ message }) => message);
      expect([path, JSON.stringify(reason), found]).toEqual([
        path,
        JSON.stringify(reason),
        ["must not be empty"],
      ]);
    }
});
