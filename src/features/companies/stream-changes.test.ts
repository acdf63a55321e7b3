import { expect, onTestFinished, test } from "vitest";
import { followChanges } from "#features/companies/contract.ts";
import type { Browser } from "../../../test/support/browser.ts";
import { ACME, BAY } from "../../../test/support/intuit.ts";
import { addMember, removeMember } from "../../../test/support/members.ts";
import { startApp, type TestApp } from "../../../test/support/start-app.ts";
import { uploadRows } from "../../../test/support/uploads.ts";

const line = (number: string) => ({
  "Invoice No": number,
  Customer: "Cool Cars",
  "Invoice Date": "2026-11-02",
  Item: "Claw Hammer",
  Amount: 10,
});

/** Reads the stream as a browser would; what came so far grows in `text`. */
async function follow(
  app: TestApp,
  browser: Browser,
): Promise<{ status: number; text(): string; ended(): boolean }> {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const response = await fetch(new URL(followChanges.path, app.url), {
    headers: { cookie },
    signal: stop.signal,
  });
  let text = "";
  let ended = false;
  const read = async () => {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString();
    ended = true;
  };
  read().catch(() => (ended = true));
  return { status: response.status, text: () => text, ended: () => ended };
}

test("QC-22 a change of a company reaches its members at once, and nobody else", async () => {
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME);
  const other = await app.owner(BAY, "platform@dockside.example");
  const [mine, theirs] = [await follow(app, owner), await follow(app, other)];
  expect(mine.status).toBe(200);
  await expect.poll(() => mine.text()).toContain("retry:");
  await expect.poll(() => theirs.text()).toContain("retry:");
  await uploadRows(owner, ACME, [line("Q-1")]);
  await expect
    .poll(() => mine.text())
    .toContain(`event: change\ndata: {"realm_id":"${ACME}","kind":"invoices"}`);
  await uploadRows(other, BAY, [line("")]);
  await expect.poll(() => theirs.text()).toContain(BAY);
  expect(theirs.text()).not.toContain(ACME);
  expect(mine.text()).not.toContain(BAY);
});

test("QC-22 a user who left a company receives no change of it, starting with the next one", async () => {
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME);
  const clerk = app.browser();
  await clerk.signIn("clerk@acme.example");
  await addMember(app.db, ACME, "clerk@acme.example");
  const [mine, theirs] = [await follow(app, owner), await follow(app, clerk)];
  await expect.poll(() => mine.text() + theirs.text()).toMatch(/retry:[^]*retry:/);
  await uploadRows(owner, ACME, [line("Q-1")]);
  await expect.poll(() => theirs.text()).toContain(ACME);
  const received = theirs.text();
  await removeMember(app.db, "clerk@acme.example");
  const before = mine.text().length;
  await uploadRows(owner, ACME, [line("Q-2")]);
  await expect.poll(() => mine.text().length).toBeGreaterThan(before);
  expect(theirs.text()).toBe(received);
});

test("QC-22 without a session there is no stream, and signing out ends it", async () => {
  const app = await startApp({ worker: false });
  expect((await follow(app, app.browser())).status).toBe(401);
  const owner = await app.owner(ACME);
  const stream = await follow(app, owner);
  await owner.request("/logout/", { method: "POST" });
  await expect.poll(() => stream.ended()).toBe(true);
});
