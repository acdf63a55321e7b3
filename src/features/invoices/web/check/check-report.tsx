import {
  addEqualInvoices,
  type CheckReport as Report,
  type ProblemGroup,
  type UploadCheck,
} from "#features/invoices/check/contract.ts";
import { useCheckWish } from "#features/invoices/web/check/use-check-wish.ts";
import { CheckRows } from "#features/invoices/web/check/check-rows.tsx";
import { checkWords as words } from "#features/invoices/web/check/words.ts";
import { FileQuestion } from "#features/invoices/web/columns/file-question.tsx";
import { CurrencyNote } from "#features/invoices/web/tables/currency-note.tsx";
import { currencyOfSum, formatMoney } from "#features/invoices/web/tables/money.ts";
import { hasUnknownNames } from "#features/invoices/web/names/queries.ts";
import { UnknownNames } from "#features/invoices/web/names/unknown-names.tsx";
import { NumberTable } from "#features/invoices/web/tables/number-table.tsx";
import { useSentFile } from "#features/invoices/web/upload/sent-files.ts";
import { useResend } from "#features/invoices/web/upload/use-resend.ts";
import { uploadWords } from "#features/invoices/web/words.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { formatCount } from "#web/kit/format.ts";
import { Notice } from "#web/kit/notice.tsx";
import type { Tone } from "#web/theme/colors.ts";
import Button from "@mui/material/Button";

type Props = {
  realmId: string;
  check: UploadCheck;
  report: Report;
  onAgain: (checkId: string) => void;
};

/** What a check found: totals, customers, problems by cause, possible duplicates, and every row. */
export function CheckReport({ realmId, check, report, onAgain }: Props) {
  const errors = report.problems.filter(({ severity }) => severity === "error");
  const add = useCheckWish(addEqualInvoices, realmId, check);
  const warnings = report.problems.filter(({ severity }) => severity === "warning");
  return (
    <>
      <Totals filename={check.filename} report={report} />
      <CurrencyNote currencies={report.currencies} />
      <p>{words.customers(formatCount(report.customers))}</p>
      {check.mode === "file" ? (
        <p>
          <strong>{uploadWords.card.allOrNothing}</strong>: {uploadWords.card.allOrNothingHint}
        </p>
      ) : null}
      {report.equal_invoices > 0 ? (
        <EqualInvoices
          count={report.equal_invoices}
          isBusy={add.isPending || check.state !== "checked"}
          onAdd={add.mutate}
        />
      ) : null}
      <FailedCall error={add.error} />
      {report.problems.length === 0 ? <p>{words.noProblems}</p> : null}
      <Problems title={words.errors} tone="red" groups={errors} />
      {errors.some(({ code }) => hasUnknownNames(code)) ? (
        <Names realmId={realmId} checkId={check.id} onAgain={onAgain} />
      ) : null}
      <Problems title={words.warnings} tone="amber" groups={warnings} />
      {report.possible_duplicates.length > 0 ? (
        <>
          <h3>{words.duplicates}</h3>
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

/** What other files had too is posted only when a person says so; then the check shows it among the rest first. */
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
      <FileQuestion realmId={realmId} failed={failed} error={error} send={send} />
    </>
  );
}

function Totals({ filename, report }: { filename: string; report: Report }) {
  const fates = ["total", "ready", "rejected", "skipped"] as const;
  return (
    <NumberTable
      label={words.totalsOf(filename)}
      heads={[words.share, words.invoices, words.rows, words.amount]}
      rows={fates.map((fate) => [
        words.fates[fate],
        formatCount(report[fate].invoices),
        formatCount(report[fate].rows),
        formatMoney(report[fate].amount, currencyOfSum(report.currencies)),
      ])}
    />
  );
}

function Problems({ title, tone, groups }: { title: string; tone: Tone; groups: readonly ProblemGroup[] }) {
  if (groups.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      {groups.map((group) => (
        <Notice key={`${group.code} ${group.column} ${group.text}`} tone={tone}>
          <div style={{ overflowWrap: "anywhere", whiteSpace: "pre-line" }}>{group.text}</div>
          <small style={{ overflowWrap: "anywhere" }}>{placeOf(group)}</small>
        </Notice>
      ))}
    </>
  );
}

/** Where in the sheet: a cell, or a column and its rows. */
function placeOf({ count, column, rows }: ProblemGroup): string {
  if (count === 1) return column ? words.cell(`${column}${rows}`) : words.inRows(rows);
  return column
    ? words.groupInColumn(formatCount(count), column, rows)
    : words.group(formatCount(count), rows);
}
