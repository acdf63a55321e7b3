import { sql } from "kysely";
import { expect, test } from "vitest";
import { listCompanies } from "#features/companies/contract.ts";
import type { UploadSummary } from "#features/invoices/contract.ts";
import type { SteppedClock } from "../support/stepped-clock.ts";
import { ACME, liftLimits } from "../support/intuit.ts";
import { NO_CALLER_LIMITS, startApp, type TestApp } from "../support/start-app.ts";
import { uploadRows } from "../support/uploads.ts";
import { invoiceRows } from "../support/workbooks.ts";
import { untilEnded, untilFinished } from "./support/uploads.ts";

const OWNER = "owner@acme.example";
const DAY_MS = 24 * 3_600_000;
const HOUR_MS = 3_600_000;

type World = { app: TestApp; clock: SteppedClock };

/** How a connection dies, what its company sees then, and what repairs it. */
type Death = {
  name: string;
  die(world: World): Promise<unknown>;
  /** Text that the waiting upload shows; null when no user notices anything. */
  says: string | null;
  /** Whether Settings and Upload ask to reconnect, and mail does. */
  isEnded: boolean;
  /** The page that a sign-in ends on meanwhile. */
  signIn: string;
  heal(world: World): Promise<unknown>;
};

const expire = ({ app }: World) => app.intuit.control("tokens/expire", { realmId: ACME });
const settings = ({ app }: World, change: object) => app.intuit.control("settings", change, "PATCH");
const setSecret = ({ app }: World, secret: string) =>
  app.intuit.control("clients", { client_id: app.config.intuit.clientId, secret });
const moveIntuit = ({ app }: World, advanceMs: number) => app.intuit.control("clock", { advanceMs });

/** The step that only a user of the company can do. */
async function reconnect({ app }: World): Promise<void> {
  const browser = app.browser();
  await browser.signIn(OWNER);
  await browser.connect(OWNER, ACME);
}

const RECONNECT = {
  says: "reconnect the company to QuickBooks",
  isEnded: true,
  signIn: "/app/",
  heal: reconnect,
};

const DEATHS: readonly Death[] = [
  {
    name: "its authorization is revoked, as the Apps page of QuickBooks does",
    die: ({ app }) => app.intuit.control("tokens/revoke", { realmId: ACME }),
    ...RECONNECT,
  },
  {
    name: "nothing renewed it for 101 days",
    die: ({ clock }) => Promise.resolve(clock.advance(101 * DAY_MS)),
    ...RECONNECT,
  },
  {
    name: "its five years are over",
    die: async (world) => {
      await settings(world, { hardTtlS: 1 });
      await expire(world);
    },
    says: RECONNECT.says,
    isEnded: true,
    signIn: "/app/",
    heal: async (world) => {
      await settings(world, { hardTtlS: 157_680_000 });
      await reconnect(world);
    },
  },
  ...(["reject", "revoke-family"] as const).map((reuse) => ({
    name: `a copy of the database brings back tokens that were renewed twice since (${reuse})`,
    die: async (world: World) => {
      await settings(world, { rotation: "every-time", reuse });
      const { rows } = await sql<{ access: string; refresh: string }>`select access_token_sealed as access,
        refresh_token_sealed as refresh from intuit_connection`.execute(world.app.db);
      for (let time = 0; time < 2; time += 1) {
        await expire(world);
        await world.app.application.invoices.books(ACME).companyInfo();
      }
      await expire(world);
      await sql`update intuit_connection set access_token_sealed = ${rows[0]?.access},
        refresh_token_sealed = ${rows[0]?.refresh}`.execute(world.app.db);
    },
    ...RECONNECT,
  })),
  {
    name: "Intuit does not answer",
    die: async (world) => {
      await expire(world);
      await world.app.intuit.control("faults", [{ fault: "503" }]);
    },
    says: "QuickBooks",
    isEnded: false,
    signIn: "reason=unavailable",
    heal: ({ app }) => app.intuit.control("faults", undefined, "DELETE"),
  },
  {
    name: "the keys of our app are wrong",
    die: async (world) => {
      await setSecret(world, "another");
      await expire(world);
    },
    says: "QuickBooks",
    isEnded: false,
    signIn: "reason=other",
    heal: (world) => setSecret(world, world.app.config.intuit.clientSecret),
  },
  ...[2, -2].map((hours) => ({
    name: `our clock is two hours ${hours > 0 ? "slow" : "fast"}`,
    die: (world: World) => moveIntuit(world, hours * HOUR_MS),
    says: null,
    isEnded: false,
    // A token that Intuit signs for an hour has expired before it arrives.
    signIn: hours > 0 ? "/app/" : "reason=other",
    heal: () => Promise.resolve(),
  })),
];

test.each(DEATHS)(
  "a connection survives, or asks to be reconnected, when $name",
  async ({ die, says, isEnded, signIn, heal }) => {
    const app = await startApp({ mail: true, limits: NO_CALLER_LIMITS });
    const world = { app, clock: app.clock };
    const before = await app.owner(ACME);
    await liftLimits(app.intuit, ACME);
    const known = new Set((await app.intuit.invoices(ACME)).map(({ Id }) => Id));
    await die(world);
    const after = app.browser();
    expect(await after.signIn(OWNER)).toContain(signIn);
    // A session may be over by now, too.
    const browser = signIn === "/app/" ? after : before;
    await uploadRows(browser, ACME, invoiceRows(3, { prefix: "DTH" }));
    const connection = async () =>
      ((await browser.call(listCompanies)).json() as { companies: { connection: string }[] }).companies[0]
        ?.connection;
    if (says !== null) {
      const { counts, results }: UploadSummary = await untilEnded(browser, ACME);
      expect([counts.open, results[0]?.message]).toEqual([3, expect.stringContaining(says)]);
      expect(await connection()).toBe(isEnded ? "reconnect_needed" : "connected");
      expect(app.mailbox().messages()).toHaveLength(isEnded ? 1 : 0);
    }
    await heal(world);
    const { counts, results } = await untilFinished(browser, ACME);
    const messages = results.map(({ message }) => message);
    const posted = { total: 3, completed: 3, problems: 0, open: 0, messages: ["3 invoices posted."] };
    expect({ ...counts, messages }).toMatchObject(posted);
    expect(await connection()).toBe("connected");
    expect((await app.intuit.invoices(ACME)).filter(({ Id }) => !known.has(Id))).toHaveLength(3);
  },
);
