import {
  addEqualInvoices,
  type CheckReport as Report,
  type UploadCheck,
} from "#features/invoices/check/contract.ts";
import { useCheckCommand } from "#features/invoices/web/check/use-check-command.ts";
import { CheckRows } from "#features/invoices/web/check/check-rows.tsx";
import { ProblemList } from "#features/invoices/web/check/problem-list.tsx";
import { checkWords as words } from "#features/invoices/web/check/words.ts";
import { FileQuestion } from "#features/sheets/web/index.ts";
import * as sheet from "#features/invoices/workbook/contract.ts";
import { CurrencyNote } from "#features/invoices/web/tables/currency-note.tsx";
import { currencyOfSum, formatMoney } from "#features/invoices/web/tables/money.ts";
import { hasUnknownNames } from "#features/invoices/web/names/queries.ts";
import { UnknownNames } from "#features/invoices/web/names/unknown-names.tsx";
import { NumberTable } from "#web/kit/tables/number-table.tsx";
import { useSentFile } from "#features/invoices/web/upload/sent-files.ts";
import { useResend } from "#features/invoices/web/upload/use-resend.ts";
import { uploadWords } from "#features/invoices/web/words.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { formatCount } from "#web/kit/format.ts";
import { PlainLink } from "#web/kit/text-link.tsx";
import { Notice } from "#web/kit/notice.tsx";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { type ReactNode, useId } from "react";

type Props = {
  realmId: string;
  check: UploadCheck;
  onAgain: (checkId: string) => void;
  /** The decision, beside the totals, so that nobody has to look for it below a long list of problems. */
  children: ReactNode;
};

/** What a check found: totals beside the decision, then problems by cause, possible duplicates, and every row. */
export function CheckReport({ realmId, check, onAgain, children }: Props) {
  const duplicatesId = useId();
  const report = check.state === "posted" ? null : check.report;
  return (
    <>
      <Box sx={{ display: "flex", flexWrap: "wrap", columnGap: 8, mt: -2 }}>
        {report ? <Totals filename={check.filename} report={report} /> : null}
        <Box sx={{ flex: "1 1 20rem", minWidth: 0, pt: { sm: 1 }, mb: 2 }}>
          {report ? <Facts check={check} report={report} duplicatesId={duplicatesId} /> : null}
          {children}
        </Box>
      </Box>
      {report ? (
        <Details
          realmId={realmId}
          check={check}
          report={report}
          duplicatesId={duplicatesId}
          onAgain={onAgain}
        />
      ) : null}
    </>
  );
}

type PartProps = { check: UploadCheck; report: Report; duplicatesId: string };

/** What else is to be known before the decision. */
function Facts({ check, report, duplicatesId }: PartProps) {
  const duplicates = report.possible_duplicates.length;
  return (
    <>
      <CurrencyNote currencies={report.currencies} />
      <p>{words.customers(formatCount(report.customers))}</p>
      {report.problems.length === 0 ? <p>{words.noProblems}</p> : null}
      {duplicates > 0 ? (
        <p>
          <PlainLink href={`#${duplicatesId}`}>{words.duplicatesOf(formatCount(duplicates))}</PlainLink>
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

function Details({
  realmId,
  check,
  report,
  duplicatesId,
  onAgain,
}: PartProps & Pick<Props, "realmId" | "onAgain">) {
  const add = useCheckCommand(addEqualInvoices, realmId, check);
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
      <FailedCall error={add.error} />
      <ProblemList title={words.errors} tone="red" groups={errors} />
      {errors.some(({ code }) => hasUnknownNames(code)) ? (
        <Names realmId={realmId} checkId={check.id} onAgain={onAgain} />
      ) : null}
      <ProblemList title={words.warnings} tone="amber" groups={warnings} />
      <ProblemList title={words.remarks} tone="blue" groups={remarks} />
      {report.possible_duplicates.length > 0 ? (
        <>
          <h3 id={duplicatesId}>{words.duplicates}</h3>
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
      <CheckRows realmId={realmId} check={check} />
    </>
  );
}

/** What other files had too is posted only when a user confirms; then the check first includes it. */
function EqualInvoices({ count, isBusy, onAdd }: { count: number; isBusy: boolean; onAdd: () => void }) {
  return (
    <Notice tone="blue">
      <p>{words.equal(count, formatCount(count))}</p>
      <Button variant="outlined" disabled={isBusy} data-print="never" onClick={onAdd}>
        {words.addEqual}
      </Button>
    </Notice>
  );
}

function Names({
  realmId,
  checkId,
  onAgain,
}: {
  realmId: string;
  checkId: string;
  onAgain: (id: string) => void;
}) {
  const sent = useSentFile(checkId);
  const { send, isSending, error, failed } = useResend(onAgain);
  const again = () => {
    if (sent) send({ ...sent, purpose: "check" });
  };
  return (
    <>
      <UnknownNames realmId={realmId} uploadId={checkId}>
        {sent ? (
          <BusyButton label={words.again} variant="contained" isBusy={isSending} onClick={again} />
        ) : (
          <p>{words.notHere}</p>
        )}
      </UnknownNames>
      <FailedCall error={error} />
      <FileQuestion endpoints={sheet} realmId={realmId} failed={failed} error={error} send={send} />
    </>
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
