import { sql } from "kysely";
import { expect, test } from "vitest";
import {
  addUser,
  declineInvitation,
  handOver,
  readInvitation,
  removeUser,
} from "#features/companies/contract.ts";
import type { Browser } from "../../../test/support/browser.ts";
import { ACME } from "../../../test/support/intuit.ts";
import { joinAs } from "../../../test/support/members.ts";
import { hurryRuns } from "../../../test/support/ledger.ts";
import { startApp, type TestApp } from "../../../test/support/start-app.ts";

const OWNER = "owner@acme.example";
const CLERK = "clerk@acme.example";

const of = (email: string) => ({ query: { realm_id: ACME, email } });
const add = (owner: Browser, email: string) => owner.call(addUser, of(email));

const listStates = async ({ db }: TestApp) =>
  (
    await sql<{
      recipient: string;
      state: string;
    }>`select recipient, state from notice_mail order by created_at`.execute(db)
  ).rows.map(({ recipient, state }) => `${recipient} ${state}`);

/** Waits until no mail is on its way. */
const untilSettled = async (app: TestApp, states: string[]) => {
  await app.settle();
  expect((await listStates(app)).toSorted()).toEqual(states.toSorted());
};

/** Failed mails are retried now, not after their wait. */
const hurry = ({ db }: TestApp) => hurryRuns(db);

test("US-16 an added user gets one invitation mail, even if they are removed or decline and are added again: its link leads to the open invitation, and the answer says that no mail was sent", async () => {
  const app = await startApp({ mail: true });
  const owner = await app.owner(ACME);
  expect((await owner.request("/settings/")).text).toContain('"mail":true');
  expect((await add(owner, CLERK)).json()).toMatchObject({ mailed: true });
  expect((await add(owner, CLERK)).status).toBe(409);
  await untilSettled(app, [`${CLERK} sent`]);
  const id = /invitation\/\?id=(\S+)/.exec(app.mailbox().messages()[0]?.text ?? "")?.[1] ?? "";
  const about = { query: { invitation: id } };
  const answer = async (act: typeof declineInvitation | typeof readInvitation) =>
    (await app.browser().call(act, about)).status;
  for (const withdraw of [() => owner.call(removeUser, of(CLERK)), () => answer(declineInvitation)]) {
    await withdraw();
    expect(await answer(readInvitation)).toBe(404);
    expect((await add(owner, CLERK)).json()).toMatchObject({ mailed: false, invited_users: [CLERK] });
    expect(await answer(readInvitation)).toBe(200);
  }
  await untilSettled(app, [`${CLERK} sent`]);
  const [mail, ...more] = app.mailbox().messages();
  expect(more).toEqual([]);
  expect(mail).toMatchObject({
    to: [CLERK],
    from: "no-reply@dockside.example",
    subject: "Invitation to Acme Tools on Dockside",
  });
  const link = `${app.url}/invitation/?id=${id}`;
  expect(mail?.text.replaceAll("\r\n", "\n").trim()).toBe(
    [
      `${OWNER} invited you to Acme Tools on Dockside.`,
      `To accept, sign in with your Intuit account for ${CLERK}. You can decline without signing in.`,
      "If you don't know the sender, decline or ignore this email: nothing changes until you accept.",
      `See the invitation: ${link}`,
      `-- \nSent by Dockside, ${app.url}`,
    ].join("\n\n"),
  );
  expect(mail?.html).toContain(`<a href="${link}"`);
  app.clock.advance(86_400_000);
  await owner.signIn(OWNER);
  await owner.call(removeUser, of(CLERK));
  expect((await add(owner, CLERK)).json()).toMatchObject({ mailed: true });
  await untilSettled(app, [`${CLERK} sent`, `${CLERK} sent`]);
  expect(await answer(readInvitation)).toBe(404);
});

test("US-18 both the old and the new admin get a mail when a company is handed over", async () => {
  const app = await startApp({ mail: true });
  const owner = await app.owner(ACME);
  await joinAs(app, owner, { realmId: ACME, email: CLERK });
  expect((await owner.call(handOver, of(CLERK))).status).toBe(200);
  await untilSettled(app, [`${CLERK} sent`, `${OWNER} sent`, `${CLERK} sent`]);
  const handed = app
    .mailbox()
    .messages()
    .filter(({ subject }) => subject.includes("new admin"));
  expect(new Set(handed.map(({ to }) => to[0]))).toEqual(new Set([CLERK, OWNER]));
  expect(handed).toHaveLength(2);
  expect(handed[0]?.text).toContain(`${OWNER} made ${CLERK} the admin of Acme Tools on Dockside.`);
});

test("US-16 no user waits for the mail server: the user is added while it refuses, and the mail arrives when it accepts mail again", async () => {
  const app = await startApp({ mail: true });
  const owner = await app.owner(ACME);
  app.mailbox().fail({ code: 451 }, 2);
  expect((await add(owner, CLERK)).status).toBe(200);
  // Two refusals, and the waits after them.
  await app.settle(60_000);
  expect(await listStates(app)).toEqual([`${CLERK} sent`]);
  expect(app.mailbox().messages()).toHaveLength(1);
});

test("US-16 a mail that the server may have is never sent again, and neither is one that it refused for good; the inviter is notified", async () => {
  const app = await startApp({ mail: true });
  const owner = await app.owner(ACME);
  app.mailbox().fail({ silent: true }, 1);
  await add(owner, CLERK);
  await untilSettled(app, [`${CLERK} in_doubt`, `${OWNER} sent`]);
  app.mailbox().fail({ code: 550 }, 1);
  await add(owner, "gone@acme.example");
  const unsent = [`${CLERK} in_doubt`, `${OWNER} sent`, "gone@acme.example refused", `${OWNER} sent`];
  await untilSettled(app, unsent);
  await hurry(app);
  await add(owner, "last@acme.example");
  await untilSettled(app, [...unsent, "last@acme.example sent"]);
  expect(
    app
      .mailbox()
      .messages()
      .map(({ to, subject }) => [to[0], subject]),
  ).toEqual([
    ["last@acme.example", "Invitation to Acme Tools on Dockside"],
    [OWNER, "The invitation to Acme Tools didn't reach gone@acme.example"],
    [OWNER, `The invitation to Acme Tools may not have reached ${CLERK}`],
    [CLERK, "Invitation to Acme Tools on Dockside"],
  ]);
});

test("US-16 mails wait for days while the mail server wants another login, and are sent once it takes ours", async () => {
  const app = await startApp({ mail: true });
  const owner = await app.owner(ACME);
  app.mailbox().fail({ senderCode: 530 }, 40);
  for (const email of [CLERK, "second@acme.example"]) expect((await add(owner, email)).status).toBe(200);
  for (let time = 0; time < 20; time += 1) {
    await app.settle();
    await hurry(app);
  }
  expect(await listStates(app)).toEqual([`${CLERK} queued`, "second@acme.example queued"]);
  expect(app.mailbox().messages()).toEqual([]);
  await app.settle(3_600_000);
  expect((await listStates(app)).toSorted()).toEqual([`${CLERK} sent`, "second@acme.example sent"]);
});

test("US-16 a user whose invitation was refused gets one when they are invited again", async () => {
  const app = await startApp({ mail: true });
  const owner = await app.owner(ACME);
  app.mailbox().fail({ code: 550 }, 1);
  await add(owner, CLERK);
  await untilSettled(app, [`${CLERK} refused`, `${OWNER} sent`]);
  for (const _ of [1, 2]) {
    await owner.call(removeUser, of(CLERK));
    expect((await add(owner, CLERK)).status).toBe(200);
    await untilSettled(app, [`${CLERK} refused`, `${OWNER} sent`, `${CLERK} sent`]);
  }
});

test("a mail of a worker killed while sending it is in doubt and never sent again, and its run ends", async () => {
  const app = await startApp({ mail: true, worker: false });
  const owner = await app.owner(ACME);
  await add(owner, CLERK);
  await sql`update notice_mail set state = 'sending'`.execute(app.db);
  await app.work();
  await untilSettled(app, [`${CLERK} in_doubt`, `${OWNER} sent`]);
  const { rows } = await sql`select state from run where kind = 'notices.send-mail'`.execute(app.db);
  expect(rows).toEqual([{ state: "done" }, { state: "done" }]);
  expect(
    app
      .mailbox()
      .messages()
      .map(({ to }) => to[0]),
  ).toEqual([OWNER]);
});

test("one company cannot make us send more than 200 mails a day; users are still added", async () => {
  const app = await startApp({ mail: true, worker: false });
  const owner = await app.owner(ACME);
  await sql`insert into notice_mail (id, realm_id, kind, recipient, params, state, created_at, changed_at)
    select gen_random_uuid(), ${ACME}, 'invitation', n || '@acme.example', '{}', 'sent', now(), now()
    from generate_series(1, 199) n`.execute(app.db);
  for (const email of ["a@acme.example", "b@acme.example"])
    expect((await add(owner, email)).status).toBe(200);
  expect((await listStates(app)).filter((state) => state.endsWith("queued"))).toEqual([
    "a@acme.example queued",
  ]);
});

test("without a mail server no mail is kept for sending, and pages know that they can't promise any", async () => {
  const app = await startApp();
  const owner = await app.owner(ACME);
  expect((await owner.request("/settings/")).text).toContain('"mail":false');
  await add(owner, CLERK);
  expect(await listStates(app)).toEqual([]);
});
