import { setTimeout as wait } from "node:timers/promises";
import { expect } from "vitest";
import { changeSettings } from "#features/companies/contract.ts";
import { addWebhook } from "#features/programs/webhooks/contract.ts";
import {
  checkNow,
  readTracked,
  readTracking,
  type TrackedDetailsView,
  type TrackingView,
} from "#features/tracking/contract.ts";
import type { Browser } from "../../support/browser.ts";
import { BAY, liftLimits, type Intuit } from "../../support/intuit.ts";
import { OWNERS } from "../../support/desk.ts";
import { runOperate } from "../../support/operate.ts";
import { startReceiver } from "../../support/receiver.ts";
import { linkUps } from "../../support/shipping.ts";
import { listFiles, prepareInvoices } from "../../support/tracking.ts";
import type { UpsSimulator } from "../../support/ups.ts";

const QUERY = { realm_id: BAY };
const ACCOUNT = "012345";
const AGAIN_MS = 500;

type Vendors = { browser: Browser; intuit: Intuit; ups: UpsSimulator };

/**
 * Packages of a second company on their way, each on an invoice of its own and known to the product, which a program of the
 * company is informed about.
 */
export async function openRoad(
  { browser, intuit, ups }: Vendors,
  { env, count }: { env: Record<string, string>; count: number },
) {
  await liftLimits(intuit, BAY);
  const user = OWNERS[BAY] ?? "";
  await browser.signIn(user);
  await browser.connect(user, BAY);
  const grant = ["service", "grant", BAY, "tracking", "--reason", "A test"];
  const granted = await runOperate(env, ...grant);
  expect(granted, granted.output).toMatchObject({ code: 0 });
  const settings = { attach_pods: "true" };
  expect((await browser.call(changeSettings, { query: QUERY, json: settings })).status).toBe(200);
  const program = await startReceiver();
  const json = { url: program.url(), events: ["package.delivered"] };
  expect((await browser.call(addWebhook, { query: QUERY, json })).status).toBe(200);
  const { tracking: numbers } = await ups.control<{ tracking: string[] }>("packages", {
    packages: count,
    ageHours: 40,
    account: ACCOUNT,
  });
  const invoice = await prepareInvoices(intuit, BAY);
  const invoices = new Map<string, string>();
  for (const number of numbers) invoices.set(number, (await invoice({ TrackingNum: number })).Id);
  await linkUps({ ups }, browser, { realmId: BAY, account: ACCOUNT, user: "bay-shipping" });

  const read = async <T>(call: Promise<{ status: number; json(): unknown }>): Promise<T | null> => {
    const reply = await call.catch(() => null);
    return reply?.status === 200 ? (reply.json() as T) : null;
  };
  const readPackage = async (number: string) => {
    const params = { invoice_id: invoices.get(number) ?? "" };
    const view = await read<TrackedDetailsView>(browser.call(readTracked, { query: QUERY, params }));
    return view?.details[0] ?? null;
  };
  /** A user asks again where the product may have missed what happened. */
  const check = async () => {
    const view = await read<TrackingView>(browser.call(readTracking, { query: QUERY }));
    if (view && view.check_allowed_at === null)
      await browser.call(checkNow, { query: QUERY }).catch(() => null);
  };
  const untilAll = async (
    some: readonly string[],
    isGood: (found: NonNullable<Awaited<ReturnType<typeof readPackage>>>) => boolean,
  ) => {
    for (const number of some)
      for (;;) {
        const found = await readPackage(number);
        if (found && isGood(found)) break;
        await check();
        await wait(AGAIN_MS);
      }
  };
  await untilAll(numbers, ({ state }) => state === "in_transit");
  const countNoticed = (number: string) => {
    const events = new Map(program.got.map(({ headers, body }) => [headers["webhook-id"], body]));
    return [...events.values()].filter((body) => body.includes(number)).length;
  };
  return {
    /** The next packages are delivered, and UPS is asked about them. */
    deliver: async (some: readonly string[]) => {
      await check();
      for (const tracking of some) await ups.control("packages/move", { tracking, to: "delivered" });
    },
    numbers,
    untilFiled: (some: readonly string[]) => untilAll(some, ({ proof }) => proof.attached_at !== null),
    /** Until the program was informed of each delivery, as it is again after a call that wasn't answered. */
    untilNoticed: async () => {
      while (numbers.some((number) => countNoticed(number) === 0)) await wait(AGAIN_MS);
    },
    count: async () => {
      const counts = { "deliveries noticed once": 0, "proofs filed once": 0 };
      for (const [number, id] of invoices) {
        if (countNoticed(number) === 1) counts["deliveries noticed once"] += 1;
        if ((await listFiles(intuit, BAY, id)).length === 1) counts["proofs filed once"] += 1;
      }
      return counts;
    },
  };
}
