import { sampleUpload } from "#features/invoices/web/fixtures/uploads.ts";
import { describeState, summarizeUpload, uploadTone } from "#features/invoices/web/results/upload-summary.ts";
import { expect, test } from "vitest";

type Counts = { total?: number; posted?: number; problems?: number; open?: number };

/** An upload of 500 invoices in 1,200 rows, with the given outcomes. */
function upload(some: Counts & { unconfirmed?: number; skipped?: number; undone?: number }) {
  const none = { total: 500, posted: 0, problems: 0, unconfirmed: 0, open: 0, skipped: 0, undone: 0 };
  const invoices = { ...none, ...some, amount: "104695.00", currencies: ["USD"] };
  const rows = { total: 1_200, completed: 0, problems: invoices.problems * 2, open: invoices.open * 2 };
  return sampleUpload({ counts: rows, invoices });
}

test.each([
  [{ posted: 500 }, "500 invoices posted · $104,695.00", "Posted", "gray"],
  [
    { posted: 476, problems: 24 },
    "476 of 500 invoices posted · $104,695.00 · 24 need fixing",
    "24 need fixing",
    "red",
  ],
  [
    { posted: 499, problems: 1 },
    "499 of 500 invoices posted · $104,695.00 · 1 needs fixing",
    "1 needs fixing",
    "red",
  ],
  [{ open: 500 }, "0 of 500 invoices posted", "Working", "green"],
  [{ posted: 212, open: 288 }, "212 of 500 invoices posted · $104,695.00", "Working", "green"],
  [
    { posted: 499, unconfirmed: 1 },
    "499 of 500 invoices posted · $104,695.00 · 1 not confirmed",
    "1 not confirmed",
    "amber",
  ],
  [{ skipped: 500 }, "0 of 500 invoices posted · 500 already uploaded", "Already uploaded", "gray"],
  [
    { posted: 5, skipped: 3, undone: 492 },
    "5 of 500 invoices posted · $104,695.00 · 3 already uploaded · 492 undone",
    "Posted",
    "gray",
  ],
  [{ undone: 500 }, "0 of 500 invoices posted · 500 undone", "Undone", "gray"],
])("UP-46 an upload's summary shows invoice counts and amount: %j", (some, summary, state, tone) => {
  expect([summarizeUpload(upload(some)), describeState(upload(some)).text, uploadTone(upload(some))]).toEqual(
    [summary, state, tone],
  );
});

test("a file that is not read yet, or has no invoice, shows no count", () => {
  const unread = { ...upload({ total: 0 }), counts: { total: 9, completed: 0, problems: 0, open: 9 } };
  expect([summarizeUpload(unread), describeState(unread).text]).toEqual(["Reading the file", "Working"]);
  expect(describeState({ ...unread, isLost: true })).toEqual({ tone: "amber", text: "Waiting" });
  const failed = { ...unread, counts: { total: 9, completed: 0, problems: 9, open: 0 } };
  expect([summarizeUpload(failed), describeState(failed).text, uploadTone(failed)]).toEqual([
    "No invoices posted",
    "Nothing posted",
    "red",
  ]);
});
