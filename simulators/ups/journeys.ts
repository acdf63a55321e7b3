import type { EventName, Step } from "./events.ts";
import type { Package } from "./records.ts";

/** Hours from the label to each event. */
const TO_HUB = { billed: 0, origin: 18, departed: 22, arrived: 38 } as const;
const TO_DOOR = { ...TO_HUB, out_for_delivery: 42, delivered: 47 } as const;

export const SCENARIOS: Readonly<Record<string, Partial<Record<EventName, number>>>> = {
  normal: TO_DOOR,
  /** Says that a photo exists before the delivery. */
  early_photo: TO_DOOR,
  exception: { ...TO_HUB, exception: 40, out_for_delivery: 66, delivered: 71 },
  attempted: { ...TO_HUB, out_for_delivery: 42, attempted: 47, delivered: 71 },
  returned: { ...TO_HUB, out_for_delivery: 42, attempted: 47, returning: 72, going_back: 96, returned: 120 },
  never_scanned: { billed: 0 },
  /** Shipped, and not known to tracking. */
  unknown: {},
  /** From abroad, handed out by a post office at last. */
  abroad: {
    billed: 0,
    picked_up: 12,
    departed: 18,
    exported: 24,
    clearing: 30,
    imported: 32,
    cleared: 36,
    arrived: 40,
    handed_over: 44,
    at_post_office: 46,
    by_post_office: 70,
  },
  /** All that delays a package, which its receiver refuses. */
  troubled: {
    billed: 0,
    dropped_off: 6,
    origin: 18,
    late_trailer: 24,
    missed: 30,
    damaged: 36,
    wrong_address: 44,
    preparing: 60,
    loaded: 64,
    closed: 68,
    last_attempt: 92,
    refused: 96,
    undeliverable: 120,
    returned: 144,
  },
  /** Waits twice, and is handed over by an agent. */
  waiting: { ...TO_HUB, redirected: 42, ready_for_pickup: 48, out_for_delivery: 66, by_agent: 71 },
  access_point: { ...TO_HUB, out_for_delivery: 42, at_access_point: 47, collected: 95 },
};

const HOUR_MS = 3_600_000;

/** Plans a scenario. @throws RangeError for an unknown one */
export function planJourney(scenario: string, createdAt: number): Step[] {
  const hours = SCENARIOS[scenario];
  if (!hours)
    throw new RangeError(`Unknown scenario ${scenario}. Known: ${Object.keys(SCENARIOS).join(", ")}.`);
  return Object.entries(hours)
    .map(([event, after]) => ({ at: createdAt + after * HOUR_MS, event: event as EventName }))
    .sort((a, b) => a.at - b.at);
}

/** Lists events until now, oldest first. Voiding ends a journey. */
export function pastSteps({ steps, voidedAt }: Package, now: number): Step[] {
  const happened = steps.filter(({ at }) => at <= now && (voidedAt === null || at < voidedAt));
  return voidedAt === null || voidedAt > now ? happened : [...happened, { at: voidedAt, event: "voided" }];
}

/** Whether UPS has the package, or had it. */
export const isScanned = (pack: Package, now: number): boolean =>
  pastSteps(pack, now).some(({ event }) => event !== "billed" && event !== "voided");

const DELIVERED: readonly EventName[] = ["delivered", "collected", "by_post_office", "by_agent"];

/** The delivery to the consumer; undefined before it. */
export const findDelivery = (pack: Package, now: number): Step | undefined =>
  pastSteps(pack, now).find(({ event }) => DELIVERED.includes(event));

/** The planned delivery; undefined when there will be none. */
export const plannedDelivery = ({ steps }: Package): Step | undefined =>
  steps.find(({ event }) => DELIVERED.includes(event));

/** The next planned event; undefined when nothing more happens. */
export const nextStep = ({ steps, voidedAt }: Package, now: number): Step | undefined =>
  voidedAt === null ? steps.find(({ at }) => at > now) : undefined;

/** Lets the next step happen now, and all later ones that much earlier. @returns undefined when none is left */
export function moveAlong(pack: Package, now: number): Package | undefined {
  const next = nextStep(pack, now);
  if (!next) return undefined;
  const earlier = next.at - now;
  return {
    ...pack,
    steps: pack.steps.map((step) => (step.at > now ? { ...step, at: step.at - earlier } : step)),
  };
}

/** Gives a package another script, counted from its label. @throws RangeError for an unknown one */
export const replan = (
  pack: Package,
  { scenario, createdAt }: { scenario: string; createdAt: number },
): Package => ({ ...pack, scenario, steps: planJourney(scenario, createdAt) });
