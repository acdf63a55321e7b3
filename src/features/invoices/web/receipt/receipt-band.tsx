import type { Receipt } from "#features/invoices/receipt/contract.ts";
import { FixButton } from "#features/invoices/web/results/fix-button.tsx";
import { useTimeLeft } from "#features/invoices/web/receipt/use-time-left.ts";
import { receiptWords as words } from "#features/invoices/web/receipt/words.ts";
import { currencyOfSum, formatMoney } from "#features/invoices/web/tables/money.ts";
import { formatCount } from "#web/kit/format.ts";
import { type Figure, SummaryBand } from "#web/kit/summary-band.tsx";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";

type Props = { receipt: Receipt; onClose: () => void };

/** What was posted of what was read; its lower line fills while it is posted. */
export function ReceiptBand({ receipt, onClose }: Props) {
  const { read, open } = receipt;
  const done = read.invoices - open.invoices;
  const seconds = useTimeLeft(done, read.invoices);
  const problems = receipt.rejected.invoices + receipt.stopped.invoices;
  return (
    <SummaryBand
      label={words.band(receipt.filename)}
      figures={figuresOf(receipt)}
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

/** What is left to do comes before what is settled. */
const OTHERS = [
  { share: "open", mark: "amber" },
  { share: "rejected", mark: "red" },
  { share: "unresolved", mark: "amber" },
  { share: "stopped", mark: "red" },
  { share: "skipped" },
  { share: "undone" },
] as const;

const MAX_FIGURES = 4;

function figuresOf(receipt: Receipt): Figure[] {
  const money = (amount: string) => formatMoney(amount, currencyOfSum(receipt.currencies));
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
      note: money(posted.amount),
      mark: "green",
    },
    ...others,
  ];
  return figures.slice(0, MAX_FIGURES);
}
