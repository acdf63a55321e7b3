import { timeoutSignal } from "../kit/timer.ts";
import { readSetting, writeSetting } from "../kit/sqlite.ts";
import { alertBody, newSteps } from "./alert-events.ts";
import { CIE_NUMBERS, listSubscriptions, type Subscription } from "./alert-subscriptions.ts";
import { findApp, type App } from "./apps.ts";
import { planJourney } from "./journeys.ts";
import { EVENTS, type Step } from "./events.ts";
import {
  findPackage,
  findShipment,
  listPackages,
  listShipments,
  type Package,
  type Shipment,
} from "./records.ts";
import { SAMPLE } from "./sample-label.ts";
import { readSettings } from "./settings.ts";
import type { Simulator } from "./simulator.ts";

const ANSWER_MS = 5_000;
const AGENT = "UPSPubSubTrackingService";

type Alert = { subscription: Subscription; shipment: Shipment; pack: Package; step: Step };

/**
 * Sends each event that is due to the subscribers, once, whatever they answer: an event that an endpoint misses
 * is lost. Settings make duplicates, and change the order.
 */
export async function deliverAlerts(sim: Simulator): Promise<void> {
  const { alerts } = readSettings(sim);
  const due = findDue(sim);
  const ordered = alerts.reversed ? due.toReversed() : due;
  for (const alert of ordered) {
    noteAlert(sim, alert);
    let status = 0;
    for (let sent = 0; sent <= alerts.duplicates && !alerts.off; sent += 1) status = await post(sim, alert);
    sim.db
      .prepare("UPDATE alert SET status = ? WHERE subscription = ? AND tracking = ? AND event = ?")
      .run(status, alert.subscription.id, alert.pack.tracking, alert.step.event);
  }
}

function findDue(sim: Simulator): Alert[] {
  const now = sim.clock.now().getTime();
  return listSubscriptions(sim).flatMap((subscription) => {
    const { createdAt, expiresAt } = subscription;
    const until = expiresAt === null ? now : Math.min(now, expiresAt);
    return listTracked(sim, subscription).flatMap(({ shipment, pack }) =>
      newSteps(pack, { since: createdAt, now: until })
        .filter(({ event }) => isWanted(subscription, EVENTS[event].type))
        .map((step) => ({ subscription, shipment, pack, step }))
        .filter((alert) => !isNoted(sim, alert)),
    );
  });
}

const isWanted = ({ preferences }: Subscription, type: string): boolean =>
  preferences.length === 0 || preferences.includes(type);

function listTracked(
  sim: Simulator,
  { tracking, account, createdAt }: Subscription,
): { shipment: Shipment; pack: Package }[] {
  if (tracking !== null && CIE_NUMBERS.includes(tracking)) return [cannedPackage(tracking, createdAt)];
  const pack = tracking === null ? undefined : findPackage(sim, tracking);
  const shipment = pack && findShipment(sim, pack.shipmentId);
  if (shipment) return [{ shipment, pack }];
  return listShipments(sim)
    .filter((each) => each.account === account)
    .flatMap((each) => listPackages(sim, each.id).map((found) => ({ shipment: each, pack: found })));
}

/** The test environment's number: all its events come one second apart. */
function cannedPackage(tracking: string, createdAt: number): { shipment: Shipment; pack: Package } {
  const steps = planJourney("normal", createdAt).map(({ event }, at) => ({
    at: createdAt + (at + 1) * 1000,
    event,
  }));
  return {
    shipment: { ...SAMPLE.shipment, id: tracking },
    pack: { ...SAMPLE.pack, tracking, shipmentId: tracking, steps },
  };
}

const isNoted = (sim: Simulator, { subscription, pack, step }: Alert): boolean =>
  sim.db
    .prepare("SELECT 1 FROM alert WHERE subscription = ? AND tracking = ? AND event = ?")
    .get(subscription.id, pack.tracking, step.event) !== undefined;

const noteAlert = (sim: Simulator, { subscription, pack, step }: Alert) =>
  sim.db
    .prepare("INSERT INTO alert (subscription, tracking, event, status) VALUES (?, ?, ?, NULL)")
    .run(subscription.id, pack.tracking, step.event);

/** @returns the status of the answer, 0 for none */
async function post(sim: Simulator, alert: Alert): Promise<number> {
  const { subscription } = alert;
  try {
    const target = await findTarget(sim, subscription);
    if (!target) return 0;
    const answer = await fetch(target.url, {
      method: "POST",
      body: JSON.stringify(
        alertBody({ ...alert, enhanced: subscription.enhanced }, readSettings(sim).alerts.noise),
      ),
      redirect: "manual",
      signal: timeoutSignal(sim.clock.timer, ANSWER_MS),
      headers: { "content-type": "application/json", "user-agent": AGENT, ...target.headers },
    });
    await answer.body?.cancel();
    return answer.status;
  } catch {
    return 0;
  }
}

/** Address and proof of an event: v1 has both from the subscription, v2 from the app and its token endpoint. */
async function findTarget(
  sim: Simulator,
  { destination, clientId }: Subscription,
): Promise<{ url: string; headers: Record<string, string> } | null> {
  if (destination) return { url: destination.url, headers: { credential: destination.credential } };
  const { webhook } = findApp(sim, clientId) ?? {};
  if (!webhook) return null;
  const token = await findToken(sim, webhook);
  return {
    url: webhook.url,
    headers: { authorization: `Bearer ${token}`, "x-api-key": webhook.clientId },
  };
}

type Token = { value: string; endsAt: number };

async function findToken(sim: Simulator, webhook: NonNullable<App["webhook"]>): Promise<string> {
  const key = `alert_token:${webhook.tokenUrl}`;
  const kept = readSetting<Token>(sim.db, key);
  const now = sim.clock.now().getTime();
  if (kept && kept.endsAt > now) return kept.value;
  const answer = await fetch(webhook.tokenUrl, {
    method: "POST",
    body: new URLSearchParams({ grant_type: "client_credentials" }),
    signal: timeoutSignal(sim.clock.timer, ANSWER_MS),
    headers: { authorization: `Basic ${btoa(`${webhook.clientId}:${webhook.clientSecret}`)}` },
  });
  const { access_token: value, expires_in: seconds } = (await answer.json()) as {
    access_token: string;
    expires_in: number | string;
  };
  writeSetting(sim.db, key, { value, endsAt: now + Number(seconds) * 1000 });
  return value;
}
