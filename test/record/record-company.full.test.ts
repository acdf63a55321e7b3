import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { simulatedIntuit } from "#platform/config/read-config.ts";
import { steppedClock } from "../support/stepped-clock.ts";
import { freePort } from "../support/free-ports.ts";
import { ACME, BAY, liftLimits, startIntuit, type Intuit } from "../support/intuit.ts";
import { differences, recordCompany, writeRecordings, type Recording } from "./record-company.ts";

const RECORDINGS = join(import.meta.dirname, "../../simulators/intuit/recordings");
const REDIRECT = "http://localhost:3000/oauth/intuit/callback";

const OWNER = "owner@acme.example";
/** Users and companies, in the order in which the plays ask for them. */
const SIGN_INS = [
  [OWNER, ACME],
  [OWNER, BAY],
];
const LONG_SIGN_INS = [
  [OWNER, ACME],
  ["platform@dockside.example", ACME],
  [OWNER, ACME],
];

/** Records the simulated Intuit, with its control interface in place of the user who signs in. */
async function recordSimulator(
  change: (intuit: Intuit) => Promise<unknown> = async () => undefined,
  { isLong = false, only }: { isLong?: boolean; only?: readonly string[] } = {},
) {
  const clock = steppedClock();
  const intuit = await startIntuit(isLong ? clock : undefined);
  const signIns = isLong ? LONG_SIGN_INS : SIGN_INS;
  let visits = 0;
  onTestFinished(() => intuit.close());
  const port = await freePort();
  await intuit.control("clients", {
    client_id: "dockside-demo",
    webhook_url: `http://localhost:${port}/intuit/webhook`,
  });
  for (const realmId of [ACME, BAY]) await liftLimits(intuit, realmId);
  await change(intuit);
  const before = (await intuit.invoices(ACME)).length;
  const beforeAtOther = (await intuit.invoices(BAY)).length;
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
      const [email = "", realmId = ""] = signIns[visits] ?? [];
      visits += 1;
      const code = await intuit.grant({
        email,
        realmId,
        scope,
        redirectUri: REDIRECT,
        nonce: searchParams.get("nonce") ?? "",
      });
      const back = new URL(REDIRECT);
      back.search = new URLSearchParams({
        code,
        realmId,
        state: searchParams.get("state") ?? "",
      }).toString();
      return back;
    },
    say: (text) => void said.push(text),
    ...(only ? { only } : {}),
    // The long plays stop the simulator's clock, by which it posts webhooks.
    ...(isLong
      ? { wait: async (ms: number) => clock.advance(ms) }
      : { webhooks: { port, verifierToken: "sim-verifier-token" } }),
  });
  expect(said).toContain("Everything made was deleted.");
  expect(await intuit.invoices(ACME)).toHaveLength(before);
  expect(await intuit.invoices(BAY)).toHaveLength(beforeAtOther);
  expect(await intuit.control(`books/${ACME}/Attachable`)).toEqual([]);
  return recordings;
}

const LONG_PLAYS = ["request-id-kept", "second-user", "stale-refresh-token"];

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
    "to two addresses": "400 2210",
    "without an address": "400 6420",
    "an invoice that does not exist": "400 610",
  });
  expect(findFacts(recordings, "order-of-pages")).toEqual({
    "without an order": "newest first, each once",
    "by Id": "oldest first, each once",
    "by creation": "oldest first, each once",
    "by last change": "oldest first, each once",
  });
  expect(findFacts(recordings, "many-changes")).toEqual({
    created: 1_001,
    "answer to their changes": "200 ok",
    "changes in it": 1_000,
    "the oldest is in it": true,
    "the newest is in it": false,
    deleted: 1_001,
    "answer after it": "200 ok",
    "deleted ones are in it": true,
  });
  expect(findFacts(recordings, "other-sales")).toEqual({
    "a credit memo": "400 500",
    "it gets a number": false,
    "a credit memo with the number of an invoice": "400 500",
    "a sales receipt": "400 500",
    "the receipt gets a number": false,
    "a sales receipt with the number of an invoice": "400 500",
    "a payment": "400 500",
    "the balance of the paid invoice": 1,
    "its links": [],
    "its sync token is another": false,
    "a change of the paid invoice": "200 ok",
  });
  expect(findFacts(recordings, "own-fields")).toEqual({
    "fields in use": 1,
    "with a name in the preferences": 1,
    "a value": "200 ok, kept",
    "a value under another name": "200 ok, kept",
    "of 31 characters": "200 ok, kept",
    "of 32 characters": "400 2050, not kept",
    "of a field that does not exist": "200 ok, not kept",
    "all fields of an invoice": "200 ok",
    "fields that it lists": 1,
  });
  expect(findFacts(recordings, "attachments")).toMatchObject({
    read: "200 ok",
    "the upload's answer has an address that gives the file": true,
    "what is read has one": false,
    "what a query finds has one": false,
    "its download is an address that gives the file": true,
  });
  expect(findFacts(recordings, "webhooks")).toEqual({
    "an invoice in each of two companies": ["200 ok", "200 ok"],
    "events of both companies came": true,
    "one post has both companies": false,
    "signed with the verifier token": true,
    shapes: ["cloudevents"],
    "content types": ["application/json"],
    "fields of an event": [
      "data",
      "datacontenttype",
      "id",
      "intuitaccountid",
      "intuitentityid",
      "source",
      "specversion",
      "time",
      "type",
    ],
    types: ["qbo.invoice.created.v1"],
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
  expect(files).toHaveLength(19);
  const text = (await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")))).join();
  for (const secret of [ACME, BAY, "eyJlbmMi", "RT1-", "Acme Tools", "Cool Cars", "Crew #", "dockside-demo"])
    expect(text).not.toContain(secret);
  expect(text).toContain('"code": "6140"');
});

test("the long plays find out how long a request id is kept, what a second user's tokens are worth and what a stale refresh token does", async () => {
  const recordings = await recordSimulator(undefined, { isLong: true, only: LONG_PLAYS });
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
  const only = ["attachments"];
  const kept = await recordSimulator(
    (intuit) => intuit.control("settings", { uploadHonorsRequestId: true }, "PATCH"),
    { only },
  );
  expect(differences(kept, await recordSimulator(undefined, { only }))).toEqual([
    "attachments, it is attached once: true there, false here",
  ]);
});

test("the long plays find each of the simulator's switches that a real Intuit may need", async () => {
  const switches = { requestIdsKeptS: 3 * 3600, reuse: "revoke-family", revokeScope: "realm" };
  const real = await recordSimulator((intuit) => intuit.control("settings", switches, "PATCH"), {
    isLong: true,
    only: LONG_PLAYS,
  });
  const found = differences(real, await recordSimulator(undefined, { isLong: true, only: LONG_PLAYS }));
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
  const only = ["throttling", "shipping-fields", "request-id-single", "refusals", "webhooks", "rotation"];
  const change = async (intuit: Intuit) => {
    const webhooks = { several: true, waitMs: 500 };
    const settings = { requestIds: "ignored", rotation: "every-time", idTokenOnRefresh: true, webhooks };
    await intuit.control("settings", settings, "PATCH");
    const preferences = { SalesFormsPrefs: { AllowShipping: false } };
    await intuit.control(`companies/${ACME}`, { preferences }, "PATCH");
    const match = { operation: "preferences.read" };
    const [json, xml] = [
      { fault: "429", once: true, match, retryAfter: { seconds: 7 } },
      { fault: "429xml", once: true, match },
    ];
    await intuit.control("faults", [json, xml]);
  };
  const real = await recordSimulator(change, { only });
  const found = differences(real, await recordSimulator(undefined, { only }));
  expect(found).toContain("webhooks, one post has both companies: true there, false here");
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
  const only = real.map(({ name }) => name);
  const long = only.filter((name) => LONG_PLAYS.includes(name));
  const own = [
    ...(await recordSimulator(undefined, { only })),
    ...(await recordSimulator(undefined, { isLong: true, only: long })),
  ];
  expect(differences(real, own)).toEqual([]);
});
