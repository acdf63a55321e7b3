import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { steppedClock } from "../support/stepped-clock.ts";
import { startStripe, type StripeSimulator } from "../support/stripe.ts";
import { differences, writeRecordings, type Recording } from "./record-company.ts";
import { recordStripe } from "./record-stripe.ts";

const RECORDINGS = join(import.meta.dirname, "../../simulators/stripe/recordings");
const SECRET = "sk_test_recorder51";

async function recordSimulator(
  change: (stripe: StripeSimulator) => Promise<unknown> = async () => undefined,
) {
  const clock = steppedClock();
  const stripe = await startStripe(clock);
  onTestFinished(() => stripe.close());
  await change(stripe);
  const said: string[] = [];
  const recordings = await recordStripe({
    target: { apiBaseUrl: stripe.url, secretKey: SECRET },
    now: clock.now(),
    say: (text) => void said.push(text),
  });
  expect(said).toContain("Everything made was deleted.");
  return recordings;
}

const readFacts = (recordings: readonly Recording[]) =>
  Object.fromEntries(recordings.map(({ name, facts }) => [name, facts]));

test("HA-11 the recorder plays a subscription of Stripe from its first payment to its end, and writes files without keys, names or ids", async () => {
  const recordings = await recordSimulator();
  expect(readFacts(recordings)).toMatchObject({
    "idempotency-key": {
      "repeated is the same customer": true,
      "with another body": "400 idempotency_error",
    },
    subscribe: {
      "its status": "incomplete",
      "a declined card": "402 card_declined",
      "the subscription after it": "active",
    },
    renew: { "after a month": ["active", "paid", "paid"] },
    "failed-renewal": { "after another month": ["past_due", "paid", "paid", "open"] },
    cancel: { "its status": "canceled", again: "404 resource_missing" },
    portal: { opened: "200 ok", "an address came": true },
  });
  const folder = await mkdtemp(join(tmpdir(), "dockside-recordings-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeRecordings(folder, recordings);
  const files = await readdir(folder);
  expect(files).toHaveLength(8);
  const text = (await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")))).join();
  expect(text).not.toMatch(/sk_test|Recording|(cus|sub|pi|in|price|prod|clock|pm)_\w*\d/);
});

test("HA-11 a recording shows where another Stripe differs, fact by fact", async () => {
  const real = await recordSimulator();
  const refusals = real.find(({ name }) => name === "refusals");
  const other = real.map((each) =>
    each === refusals ? { ...each, facts: { ...each.facts, "unknown price": "404 resource_missing" } } : each,
  );
  expect(differences(other, await recordSimulator())).toEqual([
    'refusals, unknown price: "404 resource_missing" there, "400 resource_missing" here',
  ]);
});

test("HA-11 the simulated Stripe answers as the real one did, wherever that was recorded", async () => {
  const files = await readdir(RECORDINGS).catch(() => []);
  const texts = await Promise.all(files.map((file) => readFile(join(RECORDINGS, file), "utf8")));
  const real = texts.map((text) => JSON.parse(text) as Recording);
  expect(differences(real, await recordSimulator())).toEqual([]);
});
