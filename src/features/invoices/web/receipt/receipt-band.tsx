import type { Receipt } from "#features/invoices/receipt/contract.ts";
import { isReading, needFixing } from "#features/invoices/web/receipt/rules.ts";
import { receiptWords as words } from "#features/invoices/web/receipt/words.ts";
import { FixButton } from "#features/invoices/web/results/fix-button.tsx";
import { formatSum } from "#features/invoices/web/tables/money.ts";
import { formatCount } from "#web/kit/format.ts";
import { type Figure, SummaryBand } from "#web/kit/summary-band.tsx";
import Box from "@mui/material/Box";
import { type ReactNode, useEffect, useRef, useState } from "react";

type Props = {
  receipt: Receipt;
  /** True next to a form, whose own bar is read aloud instead. */
  isQuiet?: boolean;
  /** The next steps. */
  children: ReactNode;
};

/** Invoices read and posted; the lower bar fills during posting. */
export function ReceiptBand({ receipt, isQuiet = false, children }: Props) {
  const { read, open } = receipt;
  const done = read.invoices - open.invoices;
  const seconds = useTimeLeft(done, read.invoices);
  return (
    <SummaryBand
      label={words.band(receipt.filename)}
      figures={listFigures(receipt)}
      progress={{
        label: isQuiet ? null : words.posting(done, read.invoices),
        percent: read.invoices > 0 ? (100 * done) / read.invoices : receipt.finished_at === null ? 0 : 100,
      }}
    >
      {seconds === null ? null : (
        <Box component="span" sx={{ typography: "body2", color: "text.secondary" }}>
          {words.timeLeft(seconds)}
        </Box>
      )}
      {children}
    </SummaryBand>
  );
}

/** Opens a review of the invoices that were not posted. */
export function FixReceipt({ receipt }: { receipt: Receipt }) {
  const problems = countProblems(receipt);
  if (receipt.open.invoices > 0 || problems === 0) return null;
  const { upload_id: id, filename } = receipt;
  return <FixButton upload={{ id, filename }} mainLabel={words.fix(problems)} />;
}

/** Invoices that a user can fix and post. */
export const countProblems = ({ rejected, stopped }: Receipt): number => rejected.invoices + stopped.invoices;

/** Outcomes that need a user's attention come before settled ones. */
const OTHERS = [
  { share: "open", mark: "amber" },
  { share: "unanswered", mark: "amber" },
  { share: "fix", mark: "red" },
  { share: "unresolved", mark: "amber" },
  { share: "stopped", mark: "red" },
  { share: "skipped" },
  { share: "undone" },
] as const;

const MAX_FIGURES = 4;

function listFigures(receipt: Receipt): Figure[] {
  if (isReading(receipt)) return [{ label: words.outcomes.read, value: words.unknown }];
  const shares = { ...receipt, fix: needFixing(receipt) };
  const others = OTHERS.filter(({ share }) => shares[share].invoices > 0).map(({ share, ...mark }) => ({
    label: words.outcomes[share],
    value: formatCount(shares[share].invoices),
    ...mark,
  }));
  const { read, posted } = receipt;
  const figures: Figure[] = [
    { label: words.outcomes.read, value: formatCount(read.invoices), note: words.unit(read.invoices) },
    {
      label: words.outcomes.posted,
      value: formatCount(posted.invoices),
      note: formatSum(posted.amount, receipt.currencies),
      mark: "green",
    },
    ...others,
  ];
  return figures.slice(0, MAX_FIGURES);
}

/** Shorter samples say little about the pace. */
const MIN_MS = 5_000;
const MIN_DONE = 5;
/** Milliseconds without progress after which the remaining time is unknown. */
const STALLED_MS = 20_000;

/** Seconds until all invoices are done, from the pace since the page was opened; null while unknown. */
function useTimeLeft(done: number, total: number): number | null {
  const first = useRef({ at: 0, done });
  const [seconds, setSeconds] = useState<number | null>(null);
  useEffect(() => {
    if (first.current.at === 0) first.current = { at: Date.now(), done };
    setSeconds(secondsLeft(Date.now() - first.current.at, done - first.current.done, total - done));
    const stalled = setTimeout(() => setSeconds(null), STALLED_MS);
    return () => clearTimeout(stalled);
  }, [done, total]);
  return seconds;
}

function secondsLeft(ms: number, done: number, left: number): number | null {
  if (left === 0 || ms < MIN_MS || done < MIN_DONE) return null;
  return ((ms / done) * left) / 1_000;
}
