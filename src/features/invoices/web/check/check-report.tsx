import {
  addEqualInvoices,
  type CheckReport as Report,
  type UploadCheck,
} from "#features/invoices/check/contract.ts";
import { useCheckCommand } from "#features/invoices/web/check/use-check-command.ts";
import { ProblemList } from "#features/invoices/web/check/problem-list.tsx";
import { checkWords as words } from "#features/invoices/web/check/words.ts";
import { CurrencyNote } from "#features/invoices/web/tables/currency-note.tsx";
import { currencyOfSum, formatMoney } from "#features/invoices/web/tables/money.ts";
import { hasUnknownNames } from "#features/invoices/web/names/queries.ts";
import { UnknownNames } from "#features/invoices/web/names/unknown-names.tsx";
import { NumberTable } from "#web/kit/tables/number-table.tsx";
import { uploadWords } from "#features/invoices/web/words.ts";
import { CorrectedCells } from "#features/invoices/web/review/corrected-cells.tsx";
import { FixCells } from "#features/invoices/web/review/fix-cells.tsx";
import { useCheckAgain } from "#features/invoices/web/review/use-check-again.ts";
import { ReviewInvoices } from "#features/invoices/web/review/lazy-review-invoices.ts";
import { ResultRows } from "#features/invoices/web/results/result-rows.tsx";
import { Disclosure } from "#web/kit/disclosure.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { formatCount } from "#web/kit/format.ts";
import { PlainLink } from "#web/kit/text-link.tsx";
import { Spinner } from "#web/kit/spinner.tsx";
import { kitWords } from "#web/kit/words.ts";
import { Notice } from "#web/kit/notice.tsx";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { type ReactNode, Suspense } from "react";

/** Where the possible duplicates are on the page. */
const DUPLICATES = "possible-duplicates";

type Props = {
  realmId: string;
  check: UploadCheck;
  /** The decision, beside the totals, so that nobody has to look for it below a long list of problems. */
  children: ReactNode;
};

/** What a check found: totals beside the decision, then problems by cause, possible duplicates, and every row. */
export function CheckReport({ realmId, check, children }: Props) {
  const report = check.state === "posted" ? null : check.report;
  return (
    <>
      <Box sx={{ display: "flex", flexWrap: "wrap", columnGap: 8, mt: -2 }}>
        {report ? <Totals filename={check.filename} report={report} /> : null}
        <Box sx={{ flex: "1 1 20rem", minWidth: 0, pt: { sm: 1 }, mb: 2 }}>
          {report ? <Facts check={check} report={report} /> : null}
          {children}
        </Box>
      </Box>
      {report ? <Details realmId={realmId} check={check} report={report} /> : null}
    </>
  );
}

type PartProps = { check: UploadCheck; report: Report };

/** What else is to be known before the decision. */
function Facts({ check, report }: PartProps) {
  const duplicates = report.possible_duplicates.length;
  return (
    <>
      <CurrencyNote currencies={report.currencies} />
      <p>{words.customers(report.customers)}</p>
      {report.problems.length === 0 ? <p>{words.noProblems}</p> : null}
      {duplicates > 0 ? (
        <p>
          <PlainLink href={`#${DUPLICATES}`}>{words.duplicatesOf(duplicates)}</PlainLink>
        </p>
      ) : null}
      {check.mode === "file" ? (
        <p>
          <strong>{uploadWords.card.allOrNothing}</strong>: {uploadWords.card.allOrNothingHint}
        </p>
      ) : null}
    </>
  );
}

function Details({ realmId, check, report }: PartProps & Pick<Props, "realmId">) {
  const add = useCheckCommand(addEqualInvoices, realmId, check);
  const again = useCheckAgain(realmId, check);
  const errors = report.problems.filter(({ severity }) => severity === "error");
  const warnings = report.problems.filter(({ severity }) => severity === "warning");
  const remarks = report.problems.filter(({ severity }) => severity === "info");
  return (
    <>
      {report.equal_invoices > 0 ? (
        <EqualInvoices
          count={report.equal_invoices}
          isBusy={add.isPending || check.state !== "checked"}
          onAdd={add.mutate}
        />
      ) : null}
      <FailedCall error={add.error ?? again.error} />
      <CorrectedCells check={check} again={again} />
      <ProblemList title={words.errors} tone="red" groups={errors} />
      <FixCells realmId={realmId} check={check} again={again} />
      {errors.some(({ code }) => hasUnknownNames(code)) ? (
        <UnknownNames
          realmId={realmId}
          uploadId={check.id}
          version={check.revision}
          onChosen={() => again.ask()}
        />
      ) : null}
      <ProblemList title={words.warnings} tone="amber" groups={warnings} />
      <ProblemList title={words.remarks} tone="blue" groups={remarks} />
      {report.possible_duplicates.length > 0 ? (
        <>
          <h3 id={DUPLICATES}>{words.duplicates}</h3>
          <p>{words.duplicatesHint}</p>
          <ul>
            {report.possible_duplicates.map(({ rows, text }) => (
              <li key={`${rows} ${text}`} style={{ overflowWrap: "anywhere" }}>
                {text} {words.inRows(rows)}.
              </li>
            ))}
          </ul>
        </>
      ) : null}
      <Suspense fallback={<Spinner label={kitWords.loadingPage} />}>
        <ReviewInvoices realmId={realmId} check={check} />
      </Suspense>
      <Disclosure title={words.rowsTitle(check.result_count)}>
        <ResultRows
          realmId={realmId}
          of={check}
          version={check.revision}
          filter="all"
          label={words.tableOf(check.filename)}
        />
      </Disclosure>
    </>
  );
}

/** What other files had too is posted only when a user confirms; then the check first includes it. */
function EqualInvoices({ count, isBusy, onAdd }: { count: number; isBusy: boolean; onAdd: () => void }) {
  return (
    <Notice tone="blue">
      <p>{words.equal(count)}</p>
      <Button variant="outlined" disabled={isBusy} data-print="never" onClick={onAdd}>
        {words.addEqual}
      </Button>
    </Notice>
  );
}

function Totals({ filename, report }: { filename: string; report: Report }) {
  const outcomes = ["total", "ready", "rejected", "skipped"] as const;
  return (
    <NumberTable
      label={words.totalsOf(filename)}
      heads={[words.share, words.invoices, words.rows, words.amount]}
      rows={outcomes.map((outcome) => [
        words.outcomes[outcome],
        formatCount(report[outcome].invoices),
        formatCount(report[outcome].rows),
        formatMoney(report[outcome].amount, currencyOfSum(report.currencies)),
      ])}
    />
  );
}
