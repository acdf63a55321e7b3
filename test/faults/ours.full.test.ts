import { afterAll, expect, test } from "vitest";
import { sql } from "kysely";
import { battery, printCounts, seededRandom } from "./support/battery.ts";
import { JANE, openRound, packMany, type Round } from "./support/ours-round.ts";

const run = battery({ short: 24, long: 300 });
const random = seededRandom(run.seed);
/** Orders of one product; each round has a product of its own. */
const PER_ROUND = 12;

type Trial = {
  name: string;
  buy(round: Round, po: string): Promise<unknown>;
  /** Once the order has labels; between two of them an hour passes, in which UPS is polled. */
  after?: readonly ((round: Round, po: string) => Promise<unknown>)[];
};

const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;

/** Shipments of other programs with the order's PO number, none of which is the order's. */
const FOREIGN: Readonly<Record<string, () => readonly object[]>> = {
  "far away": () => [{ to: { ...JANE, city: "Macon", state: "GA", postal: "31201" } }],
  "to a neighbor": () => [{ to: { ...JANE, name: "Tom Reed" } }],
  "to another street": () => [{ to: { ...JANE, lines: ["900 Far Road"] } }],
  "by another service": () => [{ service: pick(["01", "02", "12"]) }],
  "of another weight": () => [{ weightLb: 3 + Math.floor(random() * 40) }],
  "of more packages": () => [{ packages: 2 + Math.floor(random() * 3) }],
  "two of them": () => [{ weightLb: 7 }, { to: { ...JANE, name: "Tom Reed" } }],
  "two that equal the order": () => [{}, {}],
  "made before the order": () => [{ ageHours: 30 + Math.floor(random() * 200) }],
  "of another installation": () => [{ references: ["DS0123456789AB"] }],
  "unknown to tracking": () => [{ scenario: "unknown" }],
};

const addAll = async (round: Round, po: string, changes: readonly object[]) => {
  for (const each of changes) await round.addTheirs(po, each);
};

const foreignTrials = Object.entries(FOREIGN).flatMap(([what, list]): Trial[] => [
  {
    name: `${what}, before the call`,
    buy: async (round, po) => {
      await addAll(round, po, list());
      expect((await round.ship(po, packMany(1))).status).toBe(202);
    },
  },
  {
    name: `${what}, while the answer was lost`,
    buy: (round, po) =>
      round.shipUnseen(po, pick(["drop_after", "drop", "half_body"]), () => addAll(round, po, list())),
  },
  {
    name: `${what}, after the call; then ours is voided and made again`,
    buy: (round, po) => round.ship(po, packMany(1)),
    after: [
      (round, po) => addAll(round, po, list()),
      async (round, po) => expect(await round.voidInApp(po)).toBe(200),
    ],
  },
]);

/** Voids what the label of an order has, and checks what is handed out meanwhile. */
const voidTrials: readonly Trial[] = [
  {
    name: "voided at UPS's page",
    buy: (round, po) => round.ship(po, packMany(2)),
    after: [voidAllThere, async (round, po) => expect((await round.print(po)).status).not.toBe(200)],
  },
  {
    name: "voided at UPS's page in part",
    buy: (round, po) => round.ship(po, packMany(3)),
    after: [
      async (round, po) => {
        const label = await round.label(po);
        await round.voidAtUps(label?.tracking_numbers[pick([0, 1, 2])] ?? "");
        round.mustSay.set(po, /voided at UPS/);
      },
      async (round, po) => expect(await round.print(po)).toEqual({ status: 200, pages: 2 }),
    ],
  },
  ...["drop_after", "drop", "server_error_after", "html_page_after"].map((fault): Trial => ({
    name: `a void whose answer is lost (${fault})`,
    buy: (round, po) => round.ship(po, packMany(2)),
    after: [
      async (round, po) => {
        await round.fault("void", fault, fault === "html_page_after" ? { status: 502 } : {});
        expect(await round.voidInApp(po)).not.toBe(200);
        expect((await round.print(po)).status).not.toBe(200);
      },
      async (round, po) => expect(await round.label(po)).toBeUndefined(),
    ],
  })),
  {
    name: "a void of one package whose answer is lost",
    buy: (round, po) => round.ship(po, packMany(3)),
    after: [
      async (round, po) => {
        const [, tracking_number] = (await round.label(po))?.tracking_numbers ?? [];
        await round.fault("void", pick(["drop_after", "drop"]));
        expect(await round.voidInApp(po, { tracking_number })).not.toBe(200);
      },
      async (round, po) => {
        expect((await round.label(po))?.state).toBe("partly_voided");
        expect(await round.print(po)).toEqual({ status: 200, pages: 2 });
      },
    ],
  },
  {
    name: "one package voided here, the rest at UPS's page",
    buy: (round, po) => round.ship(po, packMany(2)),
    after: [
      async (round, po) => {
        const [first, second] = (await round.label(po))?.tracking_numbers ?? [];
        expect(await round.voidInApp(po, { tracking_number: first })).toBe(200);
        await round.voidAtUps(second ?? "");
        round.mustSay.set(po, /voided at UPS/);
      },
      async (round, po) => expect(await round.label(po)).toBeUndefined(),
    ],
  },
  {
    name: "voided at UPS's page, then an older backup",
    buy: (round, po) => round.ship(po, packMany(1)),
    after: [
      voidAllThere,
      forgetVoid,
      async (round, po) => expect((await round.print(po)).status).not.toBe(200),
    ],
  },
];

async function voidAllThere(round: Round, po: string): Promise<void> {
  const label = await round.label(po);
  await round.voidAtUps(...(label?.tracking_numbers ?? []));
  round.mustSay.set(po, /were voided at UPS/);
}

/** The database as a backup from before the void has it. */
async function forgetVoid({ app, history }: Round, po: string): Promise<void> {
  const { labels } = await history({ q: po });
  const label = labels.find(({ po_number }) => po_number === po);
  const id = label?.id;
  await sql`update order_shipment set cartons = jsonb_set(cartons, '{0,isVoided}', 'false') where shipment_id = ${id}`.execute(
    app.db,
  );
  await sql`update shipment set state = 'made', voided_at = null, void_asked = null where id = ${id}`.execute(
    app.db,
  );
  await sql`update shipment_label set voided_at = null where shipment_id = ${id}`.execute(app.db);
  for (const number of label?.tracking_numbers ?? [])
    await sql`update package set state = 'label_created', next_poll_at = added_at where number = ${number}`.execute(
      app.db,
    );
}

const otherTrials: readonly Trial[] = [
  {
    name: "two companies, one account, the same PO number: the other was first",
    buy: async (round, po) => {
      await round.bay.shipFirst(po);
      await round.ship(po, packMany(1));
    },
  },
  {
    name: "two companies, one account, the same PO number: both at once",
    buy: (round, po) => Promise.all([round.ship(po, packMany(1)), round.bay.shipFirst(po)]),
  },
  {
    name: "two companies, one account, the same PO number: ours gets no answer",
    buy: (round, po) =>
      round.shipUnseen(po, pick(["drop", "drop_after"]), (goOn) => {
        // The other's labels take time.
        goOn();
        return round.bay.shipFirst(po);
      }),
  },
  {
    name: "a gateway that doubles Ship",
    buy: async (round, po) => {
      await round.fault("ship", "twice");
      await round.ship(po, packMany(1));
      round.mustSay.set(po, /UPS has more than one shipment/);
    },
    after: [
      () => Promise.resolve(),
      async (round, po) => {
        // As the mail says, the user voids the other at UPS's page.
        const ours = (await round.label(po))?.shipment;
        const twins = (await round.shipments()).filter(
          ({ id, packages }) => id !== ours && packages[0]?.references.some(({ value }) => value === po),
        );
        for (const { packages } of twins) await round.voidAtUps(...packages.map(({ tracking }) => tracking));
      },
    ],
  },
  ...["no_label_after", "bad_label_after"].flatMap((fault): Trial[] => [
    {
      name: `a success without a usable picture (${fault})`,
      buy: async (round, po) => {
        await round.fault("ship", fault);
        await round.ship(po, packMany(pick([1, 2])));
      },
    },
    {
      name: `a success without a usable picture (${fault}) next to a stranger`,
      buy: async (round, po) => {
        await round.fault("ship", fault);
        await round.ship(po, packMany(1));
        await round.addTheirs(po, { weightLb: 9 });
      },
    },
  ]),
  ...["recovery", "track_reference", "ship"].map((operation): Trial => ({
    name: `a login that is refused at ${operation}`,
    buy: async (round, po) => {
      await round.fault(operation, "invalid_credentials", { times: pick([1, 2]) });
      await round.ship(po, packMany(1));
      await round.clearFaults();
    },
  })),
  {
    name: "a login that is refused at the refresh",
    buy: async (round, po) => {
      await round.app.ups.control("tokens/expire", {});
      await round.fault("refresh", "invalid_credentials", { times: 3 });
      await round.ship(po, packMany(1));
    },
  },
  {
    name: "a login that is refused at the void",
    buy: (round, po) => round.ship(po, packMany(1)),
    after: [
      async (round, po) => {
        await round.fault("void", "invalid_credentials", { times: 2 });
        expect(await round.voidInApp(po)).toBe(409);
        expect((await round.print(po)).status).toBe(200);
      },
    ],
  },
  {
    name: "22 packages, one of which is refused",
    buy: async (round, po) => expect((await round.ship(po, packMany(22))).status).toBe(200),
    after: [
      async (round, po) => {
        const [refused, voided] = (await round.label(po))?.tracking_numbers ?? [];
        await round.voidAtUps(voided ?? "");
        await round.keepFault({
          fault: "refusal",
          path: `/api/track/v1/details/${refused}`,
          code: "TV1002",
          message: "Invalid inquiry number",
        });
        round.mustSay.set(po, /voided at UPS/);
      },
      async (round, po) => {
        await round.dropKeptFaults();
        expect(await round.print(po)).toEqual({ status: 200, pages: 21 });
      },
    ],
  },
];

const TRIALS: readonly Trial[] = [...foreignTrials, ...voidTrials, ...otherTrials];

/** The seed says in which order the kinds come. */
const kinds = TRIALS.map((trial) => ({ trial, key: random() })).toSorted((a, b) => a.key - b.key);
const rounds = Array.from({ length: Math.ceil(run.times / PER_ROUND) }, (_, at) =>
  Array.from({ length: Math.min(PER_ROUND, run.times - at * PER_ROUND) }, (__, each) => ({
    po: `8000${each + 1}`,
    trial: kinds[(at * PER_ROUND + each) % kinds.length]?.trial as Trial,
  })),
);

async function playRound(trials: (typeof rounds)[number]) {
  const round = await openRound(trials.map((_, at) => at + 1));
  let asked = 0;
  const failed: string[] = [];
  const attempt = async (what: string, work: Promise<unknown>) =>
    work.catch((error: unknown) => failed.push(`${what}: ${String(error).slice(0, 300)}`));
  for (const { po, trial } of trials) {
    await attempt(`${po} ${trial.name}`, trial.buy(round, po));
    asked += await round.untilLabelled(po);
    await round.clearFaults();
  }
  const steps = Math.max(...trials.map(({ trial }) => trial.after?.length ?? 0));
  for (let step = 0; step < steps; step += 1) {
    for (const { po, trial } of trials) {
      const act = trial.after?.[step];
      if (!act) continue;
      await attempt(`${po} ${trial.name}, then`, act(round, po));
      await round.clearFaults();
    }
    await round.passHours(1.1);
  }

  for (const { po } of trials) asked += await round.untilLabelled(po);
  await round.passHours(1.1);
  const sent = await round.passCutOff();
  return { failed, ...(await countRound(round, trials, sent)), asked };
}

/** Lists in words all that is wrong at the end of a round. */
async function countRound(round: Round, trials: (typeof rounds)[number], sent: string) {
  const shipments = await round.shipments();
  const bay = new Set(await round.bay.live());
  const mails = round.app.mailbox().messages();
  const wrong: string[] = [];
  const voided = shipments.flatMap(({ packages }) =>
    packages.filter(({ voidedAt }) => voidedAt !== null).map(({ tracking }) => tracking),
  );
  for (const { po, trial } of trials) {
    const say = (what: string) => wrong.push(`${po} ${trial.name}: ${what}`);
    const live = shipments.filter(
      ({ id, packages }) =>
        !round.theirs.has(id) &&
        !bay.has(id) &&
        packages.some(
          ({ voidedAt, references }) => voidedAt === null && references.some(({ value }) => value === po),
        ),
    );
    const label = await round.label(po);
    if (live.length !== 1) say(`${live.length} live shipments at UPS`);
    if (label?.shipment !== live[0]?.id)
      say(`${label?.shipment ?? "none"} here, ${live[0]?.id ?? "none"} at UPS`);
    const words = round.mustSay.get(po);
    if (words && !mails.some(({ subject, text }) => subject.includes(po) && words.test(`${subject} ${text}`)))
      say(`no mail with ${words.source}`);
  }
  for (const { id, packages } of shipments)
    if (round.theirs.has(id) && packages.some(({ voidedAt }) => voidedAt !== null))
      wrong.push(`${id} of others was voided`);
  for (const number of voided) if (sent.includes(number)) wrong.push(`${number} is void and was announced`);
  const announced = trials.filter(({ po }) => sent.includes(po)).length;
  return {
    wrong,
    shipments: shipments.length,
    strangers: round.theirs.size,
    voided: voided.length,
    mails: mails.length,
    announced,
  };
}

const sums = { orders: 0, shipments: 0, strangers: 0, voided: 0, mails: 0, asked: 0, announced: 0, wrong: 0 };
afterAll(() => printCounts(run, "ours", sums));

test.for(rounds.map((_, at) => at + 1))(
  "UO-01 UO-03 UO-05 UO-06 UO-09 of orders among other programs' shipments, voids and spoilt answers each has one paid shipment, no label of others is touched, and no void label is announced (round %i)",
  { timeout: run.timeout },
  async (at) => {
    const trials = rounds[at - 1] ?? [];
    const { failed, wrong, ...counts } = await playRound(trials);
    const faults = [...failed, ...wrong];
    sums.orders += trials.length;
    sums.wrong += faults.length;
    for (const name of Object.keys(counts) as (keyof typeof counts)[]) sums[name] += counts[name];
    expect(faults).toEqual([]);
    expect(counts.announced).toBe(trials.length);
  },
);
