import type { Receipt } from "#features/invoices/receipt/contract.ts";
import { receiptWords as words } from "#features/invoices/web/receipt/words.ts";
import { FixButton } from "#features/invoices/web/results/fix-button.tsx";
import { formatSum } from "#features/invoices/web/tables/money.ts";
import { formatCount } from "#web/kit/format.ts";
import { type Figure, SummaryBand } from "#web/kit/summary-band.tsx";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useEffect, useRef, useState } from "react";

type Props = { receipt: Receipt; onClose: () => void };

/** Invoices read and posted; the lower bar fills during posting. */
export function ReceiptBand({ receipt, onClose }: Props) {
  const { read, open } = receipt;
  const done = read.invoices - open.invoices;
  const seconds = useTimeLeft(done, read.invoices);
  const problems = receipt.rejected.invoices + receipt.stopped.invoices;
  return (
    <SummaryBand
      label={words.band(receipt.filename)}
      figures={listFigures(receipt)}
      progress={{
        label: words.posting(done, read.invoices),
        percent: read.invoices === 0 ? 100 : (100 * done) / read.invoices,
      }}
    >
      {seconds === null ? null : (
        <Box component="span" sx={{ typography: "body2", color: "text.secondary" }}>
          {words.timeLeft(seconds)}
        </Box>
      )}
      <Button
        variant={open.invoices > 0 || problems > 0 ? "outlined" : "contained"}
        data-main
        onClick={onClose}
      >
        {open.invoices > 0 ? words.back : words.another}
      </Button>
      {open.invoices === 0 && problems > 0 ? (
        <FixButton
          upload={{ id: receipt.upload_id, filename: receipt.filename }}
          mainLabel={words.fix(problems)}
        />
      ) : null}
    </SummaryBand>
  );
}

/** Outcomes that need a user's attention come before settled ones. */
const OTHERS = [
  { share: "open", mark: "amber" },
  { share: "rejected", mark: "red" },
  { share: "unresolved", mark: "amber" },
  { share: "stopped", mark: "red" },
  { share: "skipped" },
  { share: "undone" },
] as const;

const MAX_FIGURES = 4;

function listFigures(receipt: Receipt): Figure[] {
  const others = OTHERS.filter(({ share }) => receipt[share].invoices > 0).map(({ share, ...mark }) => ({
    label: words.outcomes[share],
    value: formatCount(receipt[share].invoices),
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
