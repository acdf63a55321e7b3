import { sql } from "kysely";
import { expect, test } from "vitest";
import { battery, printCounts } from "./support/battery.ts";
import {
  allOnce,
  NUMBERINGS,
  postAll,
  startManyCompanies,
  addVerdicts,
  type Trial,
} from "./support/many-companies.ts";

const run = battery({ short: 3, long: 1_000 });

/**
 * Until after it was sent again, so that the repeat is refused: with a number of its own after the 125 s that a call may
 * take, else after the 300 s by which an index may lag too. A refusal is believed when no search shows the invoice for
 * longer than both, so one with a number, which is sent again early, is hidden for the lag and no longer.
 */
const HIDDEN_S = { numbered: 300, unnumbered: 500 };

const REFUSALS = [
  { code: "6000", detail: "An unexpected error occurred while accessing or saving your data." },
  { code: "5020" },
  { code: "500", detail: "Operation Could not find resource for relative : /v3/company/" },
  { code: "10000" },
  { code: "120" },
  { code: "3100" },
  { code: "120", status: 500 },
  { code: "3100", status: 500 },
];
/** In Intuit's own words the authorization has ended; a status of 500 says that it is an outage. */
const asksToReconnect = ({ code, status }: { code: string; status?: number }) =>
  ["120", "3100"].includes(code) && status === undefined;

test(
  `${run.times} invoices, some stored without a response and their repeat refused with any code: each exactly once`,
  { timeout: run.timeout },
  async () => {
    const app = await startManyCompanies();
    const trials = REFUSALS.flatMap((refusal) =>
      NUMBERINGS.map((numbering): Trial & { refusal: typeof refusal } => {
        const lost = { fault: "committed_answer_lost", hiddenS: HIDDEN_S[numbering], seed: run.seed };
        const refused = { fault: "code", ...refusal, count: Math.ceil(run.times / 10) };
        const alone = { operation: "invoice.create" };
        const isNumbered = numbering === "numbered";
        return {
          refusal,
          numbering,
          invoices: run.times,
          faults: isNumbered
            ? [
                { ...lost, match: { operation: "batch" }, count: Math.ceil(run.times / 100) },
                { ...refused, match: alone },
              ]
            : [
                { ...refused, match: { ...alone, repeat: true } },
                { ...lost, match: { ...alone, repeat: false }, everyN: 3, count: Math.ceil(run.times / 10) },
              ],
        };
      }),
    );
    const verdicts = await postAll(app, trials);
    const { rules } = await app.intuit.control<{ rules: { fault: string; fired: number }[] }>("faults");
    const refused = rules.reduce((sum, { fault, fired }) => sum + (fault === "code" ? fired : 0), 0);
    printCounts(run, "refused-repeats", { trials: trials.length, refused, ...addVerdicts(verdicts) });
    expect(refused).toBeGreaterThan(0);
    const unresolved =
      await sql`select realm_id, cause, rounds, count(*)::int from write where state = 'unresolved'
      group by 1, 2, 3`.execute(app.db);
    expect(unresolved.rows).toEqual([]);
    const { reconnected: _, ...sum } = addVerdicts(verdicts);
    expect(sum).toEqual(allOnce(trials.length * run.times));
    const needless = trials.filter(
      ({ refusal }, index) => !asksToReconnect(refusal) && verdicts[index]?.reconnected !== 0,
    );
    expect(needless).toEqual([]);
  },
);
