import { steppedClock } from "../support/stepped-clock.ts";
import { Writable } from "node:stream";
import { expect, test } from "vitest";
import { listCompanies } from "#features/companies/contract.ts";
import { listLabelUploads } from "#features/labels/contract.ts";
import { createLog } from "#platform/log.ts";
import { ACME, BAY } from "../support/intuit.ts";
import { startApp } from "../support/start-app.ts";

/** Starts an application whose clock is stopped, and collects what it logs. */
async function startLogged() {
  const lines: Record<string, unknown>[] = [];
  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
      done();
    },
  });
  const clock = steppedClock();
  const app = await startApp({ worker: false, clock, log: createLog("warn", sink) });
  const refused = () =>
    lines.flatMap(({ msg, method, path, status, session }) =>
      msg === "Refused a call" ? [{ call: [method, path, status].join(" "), session }] : [],
    );
  return { app, refused, lines, pass: (ms: number) => clock.advance(ms) };
}

test("refused calls leave one warn line per session and minute, and one per address without a session", async () => {
  const { app, refused, lines, pass } = await startLogged();
  const [owner, guest] = [await app.owner(ACME), app.browser()];
  const ask = () => owner.call(listLabelUploads, { query: {}, headers: { "x-realm-id": BAY } });
  for (let count = 0; count < 5; count += 1) expect((await ask()).status).toBe(403);
  for (let count = 0; count < 5; count += 1) expect((await guest.call(listCompanies)).status).toBe(401);
  const session = expect.stringMatching(/^.{8}$/);
  const first = [
    { call: "GET /api/v1/labels/uploads 403", session },
    { call: "GET /api/v1/company 401", session: undefined },
  ];
  expect(refused()).toEqual(first);
  pass(59_000);
  await ask();
  expect(refused()).toHaveLength(2);
  pass(2_000);
  await ask();
  expect(refused()).toEqual([...first, first[0]]);
  const secret = owner.cookies.get("dockside_session") ?? "";
  expect(JSON.stringify(lines)).not.toContain(secret);
});

test("RL-07 AP-40 a company in the body of a DELETE doesn't replace the one on screen", async () => {
  const { app } = await startLogged();
  const stranger = await app.owner(BAY, "platform@dockside.example");
  const ask = (realmId: string) =>
    stranger.request("/api/v1/invoices/names?kind=customer&text=Acme", {
      method: "DELETE",
      body: JSON.stringify({ realm_id: BAY }),
      headers: { "content-type": "application/json", "x-realm-id": realmId },
    });
  expect([(await ask(ACME)).status, (await ask(BAY)).status]).toEqual([403, 200]);
});

test("a forged webhook and a request from another site leave a line", async () => {
  const { app, refused, pass } = await startLogged();
  const forged = { method: "POST", body: "{}", headers: { "stripe-signature": "t=1,v1=00" } };
  for (let count = 0; count < 3; count += 1)
    expect((await app.browser().request("/stripe/webhook", forged)).status).toBe(400);
  expect(refused().map(({ call }) => call)).toEqual(["POST /stripe/webhook 400"]);
  pass(60_000);
  const headers = { "sec-fetch-site": "cross-site" };
  const crossSite = await app.browser().request("/api/v1/contact", { method: "POST", body: "{}", headers });
  expect(crossSite.status).toBe(403);
  expect(refused().map(({ call }) => call)).toEqual(["POST /stripe/webhook 400", "POST /api/v1/contact 403"]);
});
