import type { StartedPayment } from "#features/billing/contract.ts";
import { clickActivate, clickAdd, listRows, payByCard } from "../test/support/billing.ts";
import { createBrowser } from "../test/support/browser.ts";
import { driveIntuit } from "../test/support/intuit.ts";
import type { Product } from "../test/support/run-product.ts";
import { driveStripe } from "../test/support/stripe.ts";
import { figure, info, percentile, report, round, type Figure } from "./support/figures.ts";
import { inNewPlace } from "./support/in-new-place.ts";
import { findServer, treeCpuMs } from "./support/processes.ts";

/**
 * Measures paying for a service, without webhooks. Includes the simulated Stripe, which runs in the same
 * process.
 */
const PAYMENTS = 12;
const STEPS = ["Add", "Activation after the return", "The list in Settings"] as const;

type Step = (typeof STEPS)[number];
type Cost = { calls: number; cpuMs: number; ms: number };

report("Payments without webhooks", toFigures(await inNewPlace(measure)));

async function measure(product: Product): Promise<Record<Step, Cost[]>> {
  const stripe = driveStripe(product.stripeUrl);
  await stripe.control("settings", { deliveries: { off: true } }, "PATCH");
  const browser = createBrowser(product.url, driveIntuit(product.intuitUrl));
  await browser.signIn("owner@acme.example");
  await listRows(browser);
  const server = findServer();
  const cpu = () => treeCpuMs(server);
  const costs: Record<Step, Cost[]> = {
    Add: [],
    "Activation after the return": [],
    "The list in Settings": [],
  };
  const note = async <T>(step: Step, work: () => Promise<T>): Promise<T> => {
    const [seq, before, startedAt] = [await lastSeq(), cpu(), performance.now()];
    const result = await work();
    const ms = performance.now() - startedAt;
    costs[step].push({ calls: await countCalls(seq), cpuMs: cpu() - before, ms });
    return result;
  };
  const journal = async (since: number) =>
    (
      await stripe.control<{ entries: { seq: number; user_agent: string | null }[] }>(
        `journal?since=${since}`,
      )
    ).entries;
  const lastSeq = async () => (await journal(0)).at(-1)?.seq ?? 0;
  // The others belong to this program.
  const countCalls = async (since: number) =>
    (await journal(since)).filter(({ user_agent: agent }) => agent?.startsWith("Stripe/")).length;

  for (let count = 0; count < PAYMENTS; count += 1) {
    const started = (await note("Add", () => clickAdd(browser))).json() as StartedPayment;
    await payByCard({ stripe }, started.client_secret ?? "");
    const active = await note("Activation after the return", () =>
      clickActivate(browser, started.subscription_id ?? ""),
    );
    if ((active.json() as { status?: string }).status !== "active") throw new Error(active.text);
    await note("The list in Settings", () => listRows(browser));
    await stripe.api(`subscriptions/${started.subscription_id}`, undefined, "DELETE");
  }
  return costs;
}

function toFigures(costs: Record<Step, Cost[]>): Figure[] {
  const median = (step: Step, of: keyof Cost) =>
    percentile(
      costs[step].map((cost) => cost[of]),
      0.5,
    );
  const lines = STEPS.flatMap((step) => [
    info(`${step}: calls to Stripe`, String(median(step, "calls"))),
    info(`  processor time, all processes`, `${round(mean(costs[step].map((cost) => cost.cpuMs)))} ms`),
    info("  by the clock, half of them within", `${round(median(step, "ms"))} ms`),
  ]);
  const slowest = Math.max(...costs["Activation after the return"].map(({ ms }) => ms));
  return [
    ...lines,
    figure(
      "Calls to Stripe before an activation is answered",
      median("Activation after the return", "calls"),
      {
        most: 1,
        unit: "",
      },
    ),
    figure("On after the return, the slowest", slowest / 1_000, { most: 5, unit: "s" }),
  ];
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
