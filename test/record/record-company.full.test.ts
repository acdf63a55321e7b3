import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { simulatedIntuit } from "#platform/config/read-config.ts";
import { steppedClock } from "../support/stepped-clock.ts";
import { ACME, liftLimits, startIntuit, type Intuit } from "../support/intuit.ts";
import { differences, recordCompany, writeRecordings, type Recording } from "./record-company.ts";

const RECORDINGS = join(import.meta.dirname, "../../simulators/intuit/recordings");
const REDIRECT = "http://localhost:3000/oauth/intuit/callback";

/** Records the simulated Intuit, with its control interface in place of the user who signs in. */
async function recordSimulator(
  change: (intuit: Intuit) => Promise<unknown> = async () => undefined,
  { isLong = false } = {},
) {
  const clock = steppedClock();
  const intuit = await startIntuit(isLong ? clock : undefined);
  const users = ["owner@acme.example", "platform@dockside.example", "owner@acme.example"];
  onTestFinished(() => intuit.close());
  await liftLimits(intuit, ACME);
  await change(intuit);
  const before = (await intuit.invoices(ACME)).length;
  const said: string[] = [];
  const recordings = await recordCompany({
    target: {
      ...simulatedIntuit(intuit.url),
      clientId: "dockside-demo",
      clientSecret: "dockside-demo-secret",
      redirectUri: REDIRECT,
    },
    visit: async (address) => {
      const { searchParams } = new URL(address);
      const scope = searchParams.get("scope") ?? "";
      const code = await intuit.grant({
        email: users.shift() ?? "",
        realmId: ACME,
        scope,
        redirectUri: REDIRECT,
        nonce: searchParams.get("nonce") ?? "",
      });
      const back = new URL(REDIRECT);
      back.search = new URLSearchParams({
        code,
        realmId: ACME,
        state: searchParams.get("state") ?? "",
      }).toString();
      return back;
    },
    say: (text) => void said.push(text),
    ...(isLong ? { wait: async (ms: number) => clock.advance(ms) } : {}),
  });
  expect(said).toContain("Everything made was deleted.");
  expect(await intuit.invoices(ACME)).toHaveLength(before);
  expect(await intuit.control(`books/${ACME}/Attachable`)).toEqual([]);
  return recordings;
}

const findFacts = (recordings: readonly Recording[], name: string) =>
  recordings.find((each) => each.name === name)?.facts;

test("HA-11 the recorder tries every open question, deletes what it created, and writes files without tokens, names or ids", async () => {
  const recordings = await recordSimulator();
  expect(findFacts(recordings, "request-id-single")).toEqual({
    first: "200 ok",
    repeated: "200 ok",
    "repeated is the same invoice": true,
    "with another body": "200 ok",
    "another body makes another invoice": false,
    "invoices made": 1,
  });
  expect(findFacts(recordings, "sign-in")).toMatchObject({
    "an id_token came": true,
    "with our nonce": true,
  });
  expect(findFacts(recordings, "throttling")).toEqual({
    "answers to 40 at once": ["200 ok"],
    "the refusal is of type": null,
    "it says when to come back": null,
  });
  expect(findFacts(recordings, "sending")).toEqual({
    sent: "200 ok",
    "its status": "EmailSent",
    "with the same request id": "200 ok",
    "it is sent once": false,
    "to no address": "400 2210",
  });
  expect(findFacts(recordings, "shipping-fields")).toEqual({
    "shipping is on": true,
    "a tracking number": "200 ok, kept",
    "one of 31 characters": "200 ok, kept",
    "one of 32 characters": "200 ok, kept",
    "a ship date": "200 ok, kept",
  });
  expect(findFacts(recordings, "minor-versions")).toMatchObject({ "version 75": "200 ok" });
  expect(findFacts(recordings, "refusals")).toMatchObject({
    "old sync token": "400 5010",
    "an invoice that does not exist": "400 610",
  });
  expect(findFacts(recordings, "numbering")).toMatchObject({ "the same number again": "400 6140" });
  const folder = await mkdtemp(join(tmpdir(), "dockside-recordings-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeRecordings(folder, recordings);
  const files = await readdir(folder);
  expect(files).toHaveLength(14);
  const text = (await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")))).join();
  for (const secret of [ACME, "eyJlbmMi", "RT1-", "Acme Tools", "Cool Cars", "dockside-demo"])
    expect(text).not.toContain(secret);
  expect(text).toContain('"code": "6140"');
});

test("the long plays find out how long a request id is kept, what a second user's tokens are worth and what a stale refresh token does", async () => {
  const recordings = await recordSimulator(undefined, { isLong: true });
  expect(findFacts(recordings, "request-id-kept")).toEqual(
    Object.fromEntries(
      [1, 6, 24].flatMap((hours) => [
        [`repeated after ${hours} h`, "200 ok"],
        [`after ${hours} h it is the same invoice`, true],
      ]),
    ),
  );
  expect(findFacts(recordings, "second-user")).toEqual({
    "both users' tokens are good": true,
    revoked: 200,
    "the second user's access token after their revocation": false,
    "the first user's access token after it": true,
    "the first user's refresh token after it": true,
  });
  expect(findFacts(recordings, "stale-refresh-token")).toEqual({
    renewed: 200,
    "the refresh token is another after a day": true,
    "the one before": "invalid_grant",
    "the new access token after it": true,
    "the new refresh token after it": true,
  });
  const text = JSON.stringify(recordings);
  for (const secret of [ACME, "eyJlbmMi", "RT1-", "dockside-demo"]) expect(text).not.toContain(secret);
});

test("a recording shows whether an attachment is created once for its request id", async () => {
  const kept = await recordSimulator((intuit) =>
    intuit.control("settings", { uploadHonorsRequestId: true }, "PATCH"),
  );
  expect(differences(kept, await recordSimulator())).toEqual([
    "attachments, it is attached once: true there, false here",
  ]);
});

test("the long plays find each of the simulator's switches that a real Intuit may need", async () => {
  const switches = { requestIdsKeptS: 3 * 3600, reuse: "revoke-family", revokeScope: "realm" };
  const real = await recordSimulator((intuit) => intuit.control("settings", switches, "PATCH"), {
    isLong: true,
  });
  const found = differences(real, await recordSimulator(undefined, { isLong: true }));
  expect(found).toEqual([
    "request-id-kept, after 6 h it is the same invoice: false there, true here",
    "request-id-kept, after 24 h it is the same invoice: false there, true here",
    "second-user, the first user's access token after it: false there, true here",
    "second-user, the first user's refresh token after it: false there, true here",
    "stale-refresh-token, the new access token after it: false there, true here",
    "stale-refresh-token, the new refresh token after it: false there, true here",
  ]);
});

test("HA-11 a recording shows where another service differs, fact by fact", async () => {
  const real = await recordSimulator(async (intuit) => {
    const settings = { requestIds: "ignored", rotation: "every-time", idTokenOnRefresh: true };
    await intuit.control("settings", settings, "PATCH");
    const preferences = { SalesFormsPrefs: { AllowShipping: false } };
    await intuit.control(`companies/${ACME}`, { preferences }, "PATCH");
    const match = { operation: "preferences.read" };
    const [json, xml] = [
      { fault: "429", once: true, match, retryAfter: { seconds: 7 } },
      { fault: "429xml", once: true, match },
    ];
    await intuit.control("faults", [json, xml]);
  });
  const found = differences(real, await recordSimulator());
  expect(found).toContain("request-id-single, repeated is the same invoice: false there, true here");
  expect(found).toContain("rotation, the refresh token stays within a day: false there, true here");
  expect(found).toContain(
    'throttling, answers to 40 at once: ["200 ok","429 3001","429 without a code"] there, ["200 ok"] here',
  );
  expect(found).toContain('throttling, it says when to come back: "in seconds" there, null here');
  expect(found).toContain("shipping-fields, shipping is on: false there, true here");
  expect(found).toContain(
    'shipping-fields, a tracking number: "200 ok, not kept" there, "200 ok, kept" here',
  );
  expect(found.filter((line) => line.startsWith("refusals"))).toEqual([]);
});

test("HA-11 the simulated Intuit answers as the real one did, wherever that was recorded", async () => {
  const files = await readdir(RECORDINGS).catch(() => []);
  const texts = await Promise.all(files.map((file) => readFile(join(RECORDINGS, file), "utf8")));
  const real = texts.map((text) => JSON.parse(text) as Recording);
  expect(differences(real, await recordSimulator(undefined, { isLong: true }))).toEqual([]);
});
