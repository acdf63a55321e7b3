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

const run = battery({ short: 4, long: 40 });

const PAGES = [
  ...[302, 401, 402, 403, 404, 407, 413, 429, 451, 500, 502, 503, 504].map((status) => ({ status })),
  { status: 204 },
  { status: 200, page: "empty" },
  { status: 200, page: "html" },
];
const WAYS = [
  { committed: false, count: 1 },
  { committed: true, count: 2 },
  { committed: true, count: 1 },
  { committed: false, count: 2 },
];
const WRITES = "/(batch|invoice)$";

test(
  "an error page of a proxy or gateway, of any status, once and twice, before and after the commit, leaves each invoice exactly once and asks no user to reconnect",
  { timeout: run.timeout },
  async () => {
    const app = await startManyCompanies();
    const trials = PAGES.flatMap((page, index) => {
      const all = WAYS.flatMap((way) =>
        NUMBERINGS.map((numbering): Trial => {
          const rule = { fault: "gateway", ...page, ...way, match: { method: "POST", path: WRITES } };
          return { numbering, invoices: run.times, faults: [rule] };
        }),
      );
      // The short form takes the ways and numberings in turn: one for each page.
      return run.isLong ? all : all.filter((_, way) => way === index % all.length);
    });
    const verdicts = await postAll(app, trials);
    const failed = trials.filter((_, index) => verdicts[index]?.once !== run.times);
    printCounts(run, "error-pages", {
      trials: trials.length,
      ...addVerdicts(verdicts),
      failed: JSON.stringify(failed),
    });
    expect(failed).toEqual([]);
    expect(addVerdicts(verdicts)).toEqual({ ...allOnce(trials.length * run.times), reconnected: 0 });
  },
);

test(
  "a gateway that refuses every call for a while, lookups too, ends no upload and asks no user to reconnect",
  { timeout: run.timeout },
  async () => {
    const app = await startManyCompanies();
    const all = [401, 403, 407, 451].flatMap((status) =>
      NUMBERINGS.map((numbering): Trial => ({
        numbering,
        invoices: run.times,
        faults: [
          { fault: "gateway", status, count: 12, match: { path: "/(batch|invoice|query|preferences)$" } },
        ],
      })),
    );
    const trials = run.isLong ? all : all.filter((_, index) => index % 3 === 0);
    const verdicts = await postAll(app, trials);
    printCounts(run, "error-pages, every call", { trials: trials.length, ...addVerdicts(verdicts) });
    expect(addVerdicts(verdicts)).toEqual({ ...allOnce(trials.length * run.times), reconnected: 0 });
  },
);
