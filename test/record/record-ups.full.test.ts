import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { steppedClock } from "../support/stepped-clock.ts";
import { startUps } from "../support/ups.ts";
import { differences, writeRecordings, type Recording } from "./record-company.ts";
import { recordUps } from "./record-ups.ts";

const RECORDINGS = join(import.meta.dirname, "../../simulators/ups/recordings");

/** Records the simulated UPS, which is in its test environment as UPS is where it is recorded. */
async function recordSimulator() {
  const ups = await startUps(steppedClock());
  onTestFinished(() => ups.close());
  const { tracking } = await ups.control<{ tracking: string[] }>("packages", { ageHours: 40 });
  const [delivered = ""] = tracking;
  await ups.control("packages/move", { tracking: delivered, to: "delivered" });
  await ups.control("settings", { mode: "cie" }, "PATCH");
  return recordUps({
    target: {
      baseUrl: ups.url,
      clientId: "dockside-demo",
      clientSecret: "dockside-demo-secret",
      redirectUri: "http://localhost:3000/ups-callback",
      account: "1A2B3C",
    },
    more: { payer: { account: "R9H77W", zip: "30339" }, delivered },
    visit: (address) => ups.signIn(address, "acme-shipping"),
    say: () => undefined,
  });
}

const readFacts = (recordings: readonly Recording[]) =>
  Object.fromEntries(recordings.map(({ name, facts }) => [name, facts]));

test("HA-11 the recorder plays labels, voids, tracking and events of UPS, and writes files without tokens, numbers or names", async () => {
  const recordings = await recordSimulator();
  const made = ["200 ok", "packages: list", "picture: yes"];
  expect(readFacts(recordings)).toEqual({
    refresh: {
      refreshed: "200 ok",
      "a new refresh token came": true,
      "its times are": "string",
      "the used token again": "401 10401",
      "the tokens after that": "200 ok",
    },
    labels: {
      "a picture": made,
      "in ZPL": made,
      "in EPL": "400 120701",
      "three packages": made,
      "paid by a third party": made,
      "a ZIP code of another state": "400 120802",
      "an account of others": "400 120100",
    },
    recovery: {
      "by number": "200 ok",
      "its labels are": "object",
      "by an unknown number": "400 300007",
      "by an unknown reference": "400 300007",
    },
    void: {
      whole: "200 ok, Voided",
      "the same again": "200 ok, Voided",
      "in part": "200 ok, Partially Voided",
      "an unknown number": "400 190102",
    },
    track: {
      "an unknown number": "200 ok",
      "a delivered one": "200 ok",
      "its last activity is of type": "D",
      "its proof is": "string",
    },
    alerts: {
      "version 1, a number of the test environment": "200 ok",
      "version 1, another number": "400 VSS215",
      "version 1 without a destination": "400 VSS930",
      "version 2, a number of the test environment": "200 ok",
      "version 2, the account": "200 ok",
      "the account's subscription ends": "9999-12-31",
    },
    burst: { answers: ["200 ok"], "an answer says when to retry": false },
  });
  const folder = await mkdtemp(join(tmpdir(), "dockside-recordings-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeRecordings(folder, recordings);
  const files = await readdir(folder);
  expect(files).toHaveLength(7);
  const text = (await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")))).join();
  expect(text).not.toMatch(/1Z\w{10}|1A2B3C|R9H77W|Recording|dockside-demo|GIF89a/);
});

test("HA-11 a recording shows where another UPS differs, fact by fact", async () => {
  const real = await recordSimulator();
  const other = real.map((each) =>
    each.name === "void" ? { ...each, facts: { ...each.facts, "the same again": "400 190117" } } : each,
  );
  expect(differences(other, await recordSimulator())).toEqual([
    'void, the same again: "400 190117" there, "200 ok, Voided" here',
  ]);
});

test("HA-11 the simulated UPS answers as the real one did, wherever that was recorded", async () => {
  const files = await readdir(RECORDINGS).catch(() => []);
  const texts = await Promise.all(files.map((file) => readFile(join(RECORDINGS, file), "utf8")));
  const real = texts.map((text) => JSON.parse(text) as Recording);
  expect(differences(real, await recordSimulator())).toEqual([]);
});
