import { sql } from "kysely";
import { expect, test } from "vitest";
import { steppedClock } from "../support/stepped-clock.ts";
import { openTrackingDesk, until, type AttachedFile, type TrackingDesk } from "../support/tracking.ts";
import { battery, printCounts, seededRandom } from "./support/battery.ts";

const run = battery({ short: 12, long: 100 });
const random = seededRandom(run.seed);

const HOUR_MS = 3_600_000;

/** Settings of the simulated UPS. The last group has neither proof nor signature, however often it is asked. */
const GROUPS = [
  { name: "proof and signature", settings: { signature: "png", proofDelayMs: 0 } },
  { name: "proof and an older signature", settings: { signature: "gif", proofDelayMs: 0 } },
  { name: "proof only", settings: { signature: "none", proofDelayMs: 0 } },
  { name: "neither", settings: { signature: "none", proofDelayMs: 10_000 * HOUR_MS } },
];

/** Faults of an upload to QuickBooks: most of them after the file is there. */
const FAULTS = [
  { fault: "committed_answer_lost", probability: 0.25 },
  { fault: "committed_500", probability: 0.15 },
  { fault: "gateway", committed: true, status: 502, page: "html", probability: 0.1 },
  { fault: "half_body", probability: 0.1 },
  { fault: "reset", probability: 0.1 },
];

/** Takes the run from its worker, as a process that is thought dead loses it. @returns whether it was in progress */
async function takeRun({ app }: TrackingDesk): Promise<boolean> {
  const { numAffectedRows } =
    await sql`update run set fence = fence + 1, state = 'queued' where kind = 'tracking.watch' and state = 'working'`.execute(
      app.db,
    );
  return Number(numAffectedRows) > 0;
}

/** Lets a pass begin now, and waits until it has ended. */
async function passAgain({ app }: TrackingDesk): Promise<void> {
  const read = async () => {
    const { rows } = await sql<{ fence: number; state: string }>`select fence::int, state from run
      where kind = 'tracking.watch'`.execute(app.db);
    return rows[0] ?? { fence: 0, state: "" };
  };
  const { fence: last } = await read();
  await until(
    app,
    async () => {
      // One that is still working now waits for a later time afterwards.
      await sql`update run set due_at = now()
        where kind = 'tracking.watch' and state = 'waiting' and fence <= ${last}`.execute(app.db);
      return read();
    },
    ({ fence, state }) => fence > last && state === "waiting",
  );
}

const listFiles = (desk: TrackingDesk) =>
  desk.app.intuit.control<AttachedFile[]>(`books/9130357849016936/attachable`);

test(
  `${run.times} delivered packages have one proof each on their invoice, whatever happens on the way`,
  { timeout: run.timeout },
  async () => {
    const clock = steppedClock();
    const desk = await openTrackingDesk({ clock });
    await desk.turnOn();
    await desk.set({ attach_pods: "true" });
    const counts = {
      packages: 0,
      "runs taken away": 0,
      doubled: 0,
      "without a file": 0,
    };
    const expected = new Map<string, string>();
    for (const { name, settings } of GROUPS) {
      await desk.app.ups.control("settings", settings, "PATCH");
      for (const fault of FAULTS)
        await desk.app.intuit.control("faults", { ...fault, seed: run.seed, match: { operation: "upload" } });
      const numbers = await desk.packages({ packages: Math.ceil(run.times / GROUPS.length), ageHours: 60 });
      for (const number of numbers)
        expected.set((await desk.invoice({ TrackingNum: number })).Id, `proof-of-delivery-${number}.pdf`);
      counts.packages += numbers.length;
      // UPS is asked again after 1, 6, 24 and 72 hours; a lost upload is searched for in half an hour.
      for (let step = 0; step < 16; step += 1) {
        for (let look = 0; look < 8; look += 1) {
          if (random() < 0.4 && (await takeRun(desk))) counts["runs taken away"] += 1;
          await desk.app.settle(400);
        }
        clock.advance((name === "neither" ? 8 : 0.5) * HOUR_MS);
      }
      await desk.app.intuit.control("faults", undefined, "DELETE");
      // Some hours at a time, until every file is there.
      await until(
        desk.app,
        async () => {
          clock.advance((name === "neither" ? 8 : 1) * HOUR_MS);
          await passAgain(desk);
          return (await listFiles(desk)).map(({ FileName }) => FileName);
        },
        (files) => [...expected.values()].every((file) => files.includes(file)),
      );
    }
    await desk.app.settle();
    const files = Map.groupBy(await listFiles(desk), (file) => file.AttachableRef[0]?.EntityRef.value ?? "");
    for (const [id, fileName] of expected) {
      const own = (files.get(id) ?? []).filter((file) => file.FileName === fileName);
      counts.doubled += Math.max(0, (files.get(id) ?? []).length - 1);
      if (own.length === 0) counts["without a file"] += 1;
    }
    printCounts(run, "proofs", counts);
    expect(counts).toMatchObject({ doubled: 0, "without a file": 0 });
    expect(counts["runs taken away"]).toBeGreaterThan(0);
  },
);
