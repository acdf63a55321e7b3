import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { makeCredential } from "#features/packages/alert-credential.ts";
import { ALERT_PATH, CHANGES_PATH } from "#features/tracking/index.ts";
import { signBody, webhookBody, type WebhookEvent } from "../simulators/intuit/webhook-events.ts";
import { EVENTS, type EventName } from "../simulators/ups/events.ts";
import { planJourney } from "../simulators/ups/journeys.ts";
import { seededRandom } from "../test/faults/support/battery.ts";
import { startWorker } from "../src/main/run-worker.ts";
import { figure, info, percentile, report, round, type Figure } from "./support/figures.ts";
import { treeCpuMs } from "./support/processes.ts";
import { openTrackingProduct, SEALING_KEYS, type TrackingProduct } from "./support/tracking-product.ts";

/**
 * Follows packages of several companies for a month of simulated time: first with the events of both vendors, then without.
 * Time stands still while the product works, and moves to the next event; only waits for budgets are in the delays.
 * Without events a package costs 5 calls or so, and 3 aren't enough: one when it is added, one on a morning in between, which
 * finds its day, and on that day one every 110 minutes from 9:50, as a delivery must be known within two hours. UPS promises a
 * day; times that it adds in the morning are missed too often to leave out calls. Deliveries that are spread evenly from 8 to
 * 16 o'clock take 2.7 calls on average: 23 % each the first to the fourth, 8 % the fifth. That is 4.7; attempts, problems and
 * labels that are never scanned add to it.
 * With events 5,000 packages that are added in the month take about half an hour of a core, vendors and database included; 5,000 that
 * are always open and 2,500 are delivered each day, would take 15 times as long.
 * Arguments: packages with events, by default 200, which takes some minutes; packages without, by default a quarter of them.
 */
const PACKAGES = Number(process.argv[2] ?? 200);
const UNPUSHED = Number(process.argv[3] ?? Math.ceil(PACKAGES / 4));
const COMPANIES = 5;
/** The first company has this part of the packages. */
const BIG_SHARE = 0.5;
const DAYS = 30;
/** Changes of each invoice by users after it is made. */
const CHANGES_EACH = 3;
/** Open packages for which the cost of a package is stated. */
const OPEN = 5_000;
const IDLE_MS = 20_000;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Labels are made from 9 to 17 o'clock where the package goes, so packages arrive from 8 to 16 there. */
const PLACES = [
  { to: { city: "New York", state: "NY", postal: "10013" }, firstLabelUtc: 14 },
  { to: { city: "Reno", state: "NV", postal: "89506" }, firstLabelUtc: 17 },
] as const;
const LABEL_HOURS = 8;
/** The rest arrives at the first attempt. */
const SCENARIOS = [
  { scenario: "exception", share: 0.05 },
  { scenario: "attempted", share: 0.05 },
  { scenario: "returned", share: 0.02 },
  { scenario: "never_scanned", share: 0.02 },
];
const REALMS = Array.from({ length: COMPANIES }, (_, place) => `91303578490600${10 + place}`);

const random = seededRandom(7);

type Delivery = { realmId: string; number: string; at: number };
type Happening = { at: number; act(): Promise<void> };

async function measure(packages: number, pushes: boolean): Promise<Figure[]> {
  const product = await openTrackingProduct({ realms: REALMS, pushes });
  try {
    const deliveries: Delivery[] = [];
    const [own, database] = [process.cpuUsage(), readPostgresMs(product)];
    const { passes } = await passMonth(product, { packages, pushes, deliveries });
    const { user, system } = process.cpuUsage(own);
    const databaseMs = readPostgresMs(product) - database;
    return [
      ...(await readDelays(product, deliveries, pushes)),
      ...(await readCalls(product, packages, pushes)),
      info("passes", String(passes)),
      ...(pushes ? await readCost(product, { cpuMs: (user + system) / 1_000, databaseMs, packages }) : []),
    ];
  } finally {
    await product.close();
  }
}

const readPostgresMs = ({ postgres }: TrackingProduct) => treeCpuMs(postgres);

type Month = { packages: number; pushes: boolean; deliveries: Delivery[] };

/** Lets a month pass: each step is what happens within a minute, and the passes that are due. */
async function passMonth(product: TrackingProduct, month: Month): Promise<{ passes: number }> {
  const startsAt = product.clock.now().getTime();
  const happenings = planLabels(product, { ...month, startsAt });
  let passes = await product.workOff();
  for (;;) {
    const at = Math.min(happenings[0]?.at ?? Infinity, await product.nextPassAt());
    if (at > startsAt + DAYS * DAY_MS) return { passes };
    await product.moveTo(at);
    for (let next = happenings[0]; next && next.at < at + MINUTE_MS; next = happenings[0]) {
      happenings.shift();
      // Not before it happens: UPS would not know it yet.
      await product.moveTo(next.at);
      await next.act();
    }
    passes += await product.workOff();
  }
}

type Plan = Month & { startsAt: number };

/** Plans labels of the month's first days; each one plans what happens to its package and its invoice. */
function planLabels(product: TrackingProduct, { packages, pushes, deliveries, startsAt }: Plan): Happening[] {
  const happenings: Happening[] = [];
  const add = (event: Happening) => {
    const after = happenings.findIndex(({ at }) => at > event.at);
    happenings.splice(after === -1 ? happenings.length : after, 0, event);
  };
  const firstDay = Math.ceil(startsAt / DAY_MS) * DAY_MS;
  for (let count = 0; count < packages; count += 1) {
    const realmId = pickRealm();
    const day = Math.floor(random() * (DAYS - 6));
    const { to, firstLabelUtc } = random() < 0.5 ? PLACES[0] : PLACES[1];
    const at = firstDay + day * DAY_MS + (firstLabelUtc + random() * LABEL_HOURS) * HOUR_MS;
    add({ at, act: () => makeLabel(product, { realmId, at, to, pushes, deliveries, add }) });
  }
  return happenings;
}

const pickRealm = () =>
  (random() < BIG_SHARE ? REALMS[0] : REALMS[1 + Math.floor(random() * (COMPANIES - 1))]) ?? "";

type Label = {
  realmId: string;
  at: number;
  to: object;
  pushes: boolean;
  deliveries: Delivery[];
  add(event: Happening): void;
};

async function makeLabel(
  product: TrackingProduct,
  { realmId, at: plannedAt, to, pushes, deliveries, add }: Label,
): Promise<void> {
  const { intuit, ups, clock } = product;
  // The clock may be later: waits of the product move it.
  const at = Math.max(plannedAt, clock.now().getTime());
  const dice = random();
  let sum = 0;
  const scenario = SCENARIOS.find(({ share }) => dice < (sum += share))?.scenario ?? "normal";
  const { tracking } = await ups.control<{ tracking: string[] }>("packages", { scenario, to });
  const [number = ""] = tracking;
  const books = `books/${realmId}`;
  const lists = await findLists(product, realmId);
  const line = {
    Amount: 20,
    DetailType: "SalesItemLineDetail",
    SalesItemLineDetail: { ItemRef: { value: lists.item }, Qty: 2, UnitPrice: 10 },
  };
  const invoice = await intuit.control<{ Id: string }>(`${books}/invoice`, {
    CustomerRef: { value: lists.customer },
    TxnDate: new Date(at).toISOString().slice(0, 10),
    TrackingNum: number,
    Line: [line],
  });
  const say = (verb: WebhookEvent["verb"]) =>
    pushes ? reportChange(product, { realmId, invoiceId: invoice.Id, verb }) : Promise.resolve();
  await say("created");
  for (let change = 0; change < CHANGES_EACH; change += 1)
    add({
      at: at + random() * 20 * DAY_MS,
      act: async () => {
        await intuit.control(`${books}/invoice/${invoice.Id}`, { PrivateNote: `Change ${change}` });
        await say("updated");
      },
    });
  for (const { at: stepAt, event } of planJourney(scenario, at)) {
    if (event === "delivered") deliveries.push({ realmId, number, at: stepAt });
    if (pushes && stepAt > at)
      add({ at: stepAt, act: () => sendEvent(product, { realmId, number, event, at: stepAt }) });
  }
}

const lists = new Map<string, Promise<{ customer: string; item: string }>>();

/** Any customer and item of a company. */
function findLists(
  { intuit, url }: TrackingProduct,
  realmId: string,
): Promise<{ customer: string; item: string }> {
  const key = `${url} ${realmId}`;
  const read = async () => {
    type Entity = { Id: string; Type?: string; Active?: boolean };
    const customers = await intuit.control<Entity[]>(`books/${realmId}/Customer`);
    const items = await intuit.control<Entity[]>(`books/${realmId}/Item`);
    const item = items.find(({ Type, Active }) => Type !== "Category" && Active !== false);
    return { customer: customers[0]?.Id ?? "", item: item?.Id ?? "" };
  };
  const found = lists.get(key) ?? read();
  lists.set(key, found);
  return found;
}

type Change = Pick<WebhookEvent, "realmId" | "invoiceId" | "verb">;

async function reportChange({ url, clock, verifierToken }: TrackingProduct, change: Change): Promise<void> {
  const body = webhookBody("cloudevents", [
    { ...change, id: crypto.randomUUID(), at: clock.now().getTime() },
  ]);
  await post(`${url}${CHANGES_PATH}`, body, { "intuit-signature": signBody(body, verifierToken) });
}

type Event = { realmId: string; number: string; event: EventName; at: number };

async function sendEvent({ url }: TrackingProduct, { realmId, number, event, at }: Event): Promise<void> {
  const { type, code, description, statusCode } = EVENTS[event];
  const digits = new Date(at).toISOString().replaceAll(/[-:T]|\..*/g, "");
  const [date, time] = [digits.slice(0, 8), digits.slice(8)];
  const body = JSON.stringify({
    trackingNumber: number,
    localActivityDate: date,
    localActivityTime: time,
    gmtActivityDate: date,
    gmtActivityTime: time,
    gmtOffset: "-00.00",
    activityLocation: { city: "RENO", stateProvince: "NV", postalCode: "89506", country: "US" },
    activityStatus: { type, code, description, descriptionCode: statusCode },
    scheduledDeliveryDate: "",
    actualDeliveryDate: event === "delivered" ? date : "",
    actualDeliveryTime: event === "delivered" ? time : "",
  });
  await post(`${url}${ALERT_PATH}`, body, { credential: makeCredential(SEALING_KEYS, realmId) });
}

async function post(address: string, body: string, headers: Record<string, string>): Promise<void> {
  const reply = await fetch(address, {
    method: "POST",
    body,
    headers: { "content-type": "application/json", ...headers },
  });
  await reply.body?.cancel();
  if (reply.status !== 200) throw new Error(`${address} answered ${reply.status}.`);
}

/** How long after its delivery each proof was on the invoice. */
async function readDelays({ db, clock }: TrackingProduct, deliveries: readonly Delivery[], pushes: boolean) {
  const { rows } = await sql<{
    realm_id: string;
    number: string;
    settled_at: Date;
  }>`select realm_id, number, settled_at
    from tracking_write where operation = 'attach' and state = 'done'`.execute(db);
  const files = new Map(rows.map((row) => [`${row.realm_id} ${row.number}`, row.settled_at.getTime()]));
  // Deliveries of the last hours may still come.
  const ended = deliveries.filter(({ at }) => at < clock.now().getTime() - 6 * HOUR_MS);
  // Times of the vendors are whole seconds.
  const delays = ended.map(({ realmId, number, at }) =>
    Math.max(0, (files.get(`${realmId} ${number}`) ?? Infinity) - at),
  );
  const within = (ms: number) => (100 * delays.filter((delay) => delay <= ms).length) / delays.length;
  const minutes = [0.5, 0.95, 0.99].map((share) => round(percentile(delays, share) / MINUTE_MS)).join(" / ");
  return [
    info("deliveries", String(ended.length)),
    pushes
      ? figure("  on the invoice within 15 min", within(15 * MINUTE_MS), { least: 99, unit: "%" })
      : figure("  on the invoice within 2 h", within(2 * HOUR_MS), { least: 99, unit: "%" }),
    info("  after, p50 / p95 / p99", `${minutes} min`),
    figure("  files on invoices twice", rows.length - files.size, { most: 0, unit: "" }),
  ];
}

const READS = ["cdc", "query", "invoice.read", "preferences.read"];

/** Calls at both vendors. */
async function readCalls(
  { intuit, ups, db }: TrackingProduct,
  packages: number,
  pushes: boolean,
): Promise<Figure[]> {
  const { entries } = await ups.control<{ entries: { operation: string }[] }>("journal");
  const looks = entries.filter(({ operation }) => operation === "track").length / packages;
  type Entry = { operation: string; method: string; path: string };
  const reads: number[] = [];
  const kinds = new Map<string, number>();
  for (const realmId of REALMS) {
    const journal = await intuit.control<{ entries: Entry[] }>(`journal?realm_id=${realmId}&limit=50000`);
    for (const { operation } of journal.entries) kinds.set(operation, (kinds.get(operation) ?? 0) + 1);
    reads.push(journal.entries.filter(({ operation }) => READS.includes(operation)).length);
  }
  const { rows } = await sql<{ open: number; pushed: number }>`select count(*)::int as open,
    (count(*) filter (where pushed_until > '-infinity'))::int as pushed from package`.execute(db);
  return [
    pushes
      ? figure("calls to UPS's Track for each package", looks, { most: 3, unit: "" })
      : info("calls to UPS's Track for each package", round(looks)),
    info("  packages with events subscribed", `${rows[0]?.pushed} of ${rows[0]?.open}`),
    figure("metered reads of the company with most", Math.max(...reads), { most: 300, unit: "" }),
    info("  of all companies", reads.join(", ")),
    info("  calls to Intuit", [...kinds].map(([kind, count]) => `${kind} ${count}`).join(", ")),
  ];
}

type Cost = { cpuMs: number; databaseMs: number; packages: number };

/** Processor time of a worker: while it only waits, and for as many packages as are delivered a day if so many are open. */
async function readCost(
  product: TrackingProduct,
  { cpuMs: workMs, databaseMs, packages }: Cost,
): Promise<Figure[]> {
  const { application, connectionString } = product;
  const stop = await startWorker({ application, connectionString, holder: crypto.randomUUID() });
  // A month is over: runs of every day and minute are due first.
  await wait(IDLE_MS);
  const own = process.cpuUsage();
  await wait(IDLE_MS);
  const { user, system } = process.cpuUsage(own);
  await stop();
  const idle = (100 * (user + system)) / 1_000 / IDLE_MS;
  // A package is on its way for two days.
  const share = (ms: number) => (100 * (ms / packages) * (OPEN / 2)) / DAY_MS;
  return [
    info("CPU for each package, the vendors' events included", `${round(workMs / packages)} ms`),
    info("  PostgreSQL's", `${round(databaseMs / packages)} ms`),
    info("CPU of a worker that only waits", `${round(idle)} %`),
    figure(`CPU of a worker with ${OPEN} open packages`, idle + share(workMs), {
      most: 2,
      unit: "% of a core",
    }),
  ];
}

report(
  `${PACKAGES} packages of ${COMPANIES} companies for ${DAYS} days, with events`,
  await measure(PACKAGES, true),
);
report(`${UNPUSHED} packages without any event`, await measure(UNPUSHED, false));
