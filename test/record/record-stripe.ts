import type { Recording } from "./record-company.ts";
import { STRIPE_PLAYS, toAnswer, type StripeStage } from "./plays-stripe.ts";
import { createStripeApi, type StripeApi, type StripeTarget } from "./wire-stripe.ts";

type Options = {
  target: StripeTarget;
  now: Date;
  say(text: string): void;
  /** Called after each play with all that was recorded so far. */
  keep?: (recordings: readonly Recording[]) => Promise<unknown>;
};

/** Plays what we rely on at Stripe in a test account, and deletes what it made. */
export async function recordStripe({ target, now, say, keep }: Options): Promise<Recording[]> {
  const api = createStripeApi(target);
  const startedAt = Math.floor(now.getTime() / 1_000);
  const { id: product } = await make(api, "products", { name: "Recording" });
  const clock = await make(api, "test_helpers/test_clocks", { frozen_time: String(startedAt) });
  const recordings: Recording[] = [];
  try {
    const stage: StripeStage = {
      api,
      startedAt,
      clock: clock.id,
      price: (
        await make(api, "prices", {
          product,
          currency: "usd",
          unit_amount: "4900",
          "recurring[interval]": "month",
        })
      ).id,
      customer: (await make(api, "customers", { name: "Recording", test_clock: clock.id })).id,
    };
    for (const { name, play } of STRIPE_PLAYS) {
      say(`Playing ${name} …`);
      api.exchanges.length = 0;
      recordings.push({ name, facts: await play(stage), exchanges: [...api.exchanges] });
      await keep?.(recordings);
    }
  } finally {
    // A clock takes its customers and their subscriptions along. Stripe keeps a product that had a price.
    const ended = [
      await api.call("DELETE", `test_helpers/test_clocks/${clock.id}`),
      await api.call("POST", `products/${product}`, { active: "false" }),
    ];
    const isDone = ended.every(({ status }) => status === 200);
    say(isDone ? "Everything made was deleted." : `Delete by hand: ${clock.id}, ${product}`);
  }
  return recordings;
}

async function make(api: StripeApi, path: string, fields: Record<string, string>): Promise<{ id: string }> {
  const reply = await api.call("POST", path, fields);
  if (reply.status !== 200)
    throw new Error(
      `Stripe refused to make what the plays need (${path}): ${toAnswer(reply)}. Use a test key.`,
    );
  return { id: String(reply.json["id"]) };
}
