import {
  allowDuplicates,
  type CheckReport as Report,
  type UploadCheck,
} from "#features/invoices/check/contract.ts";
import { downloadProblemRows } from "#features/invoices/contract.ts";
import { hasUnknownNames } from "#features/invoices/web/names/queries.ts";
import { CheckDecision } from "#features/invoices/web/review/check-decision.tsx";
import { FixCells } from "#features/invoices/web/review/fix-cells.tsx";
import { useCheckCommand } from "#features/invoices/web/review/queries.ts";
import { type Again, useCheckAgain } from "#features/invoices/web/review/use-check-again.ts";
import { DUPLICATES, reviewWords as words } from "#features/invoices/web/review/words.ts";
import { CurrencyNote } from "#features/invoices/web/tables/currency-note.tsx";
import { useResend } from "#features/invoices/web/upload/use-upload.tsx";
import * as sheet from "#features/invoices/workbook/contract.ts";
import { ColumnsEditor, Notes, ProblemRowsDownload, TotalsNotice } from "#features/sheets/web/index.ts";
import { CorrectedCells, LeftOut, RECORDS } from "#features/sheets/web/review.ts";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { Choice } from "#web/kit/choice.tsx";
import { Disclosure } from "#web/kit/disclosure.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { Notice } from "#web/kit/notice.tsx";
import { Spinner } from "#web/kit/spinner.tsx";
import { PlainLink } from "#web/kit/text-link.tsx";
import { kitWords } from "#web/kit/words.ts";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { lazy, Suspense, useState } from "react";

// Loaded in parallel with the check, and only if they have content.
const ReviewInvoices = lazy(async () => ({
  default: (await import("#features/invoices/web/review/review-invoices.tsx")).ReviewInvoices,
}));
const UnknownNames = lazy(async () => ({
  default: (await import("#features/invoices/web/names/unknown-names.tsx")).UnknownNames,
}));

type Props = {
  realmId: string;
  check: UploadCheck;
  isTyped: boolean;
  onReplaced: (checkId: string) => void;
  onClose: () => void;
};

/** Report of a check: totals next to the decision, then questions, problems, remarks and every invoice. */
export function CheckReport({ realmId, check, isTyped, onReplaced, onClose }: Props) {
  const again = useCheckAgain(realmId, check);
  // A posted review stays visible until the receipt replaces it.
  const { report } = check;
  return (
    <>
      <CheckDecision realmId={realmId} check={check} isTyped={isTyped} onClose={onClose} />
      {report ? <Facts realmId={realmId} check={check} report={report} again={again} /> : null}
      <FailedCall error={again.error} />
      {report ? <Details realmId={realmId} check={check} report={report} again={again} /> : null}
      <CheckAgain realmId={realmId} check={check} again={again} onReplaced={onReplaced} />
    </>
  );
}

type PartProps = { realmId: string; check: UploadCheck; report: Report; again: Again };

/** Additional facts for the decision, and the choice to post all or nothing. */
function Facts({ realmId, check, report, again }: PartProps) {
  const duplicates = report.possible_duplicates.length;
  return (
    <Box
      sx={{
        display: "flex",
        flexWrap: "wrap",
        alignItems: "center",
        columnGap: 3,
        rowGap: 1,
        mt: 1,
        typography: "body2",
        "& > p": { m: 0 },
        // Touch targets need 24 px.
        "& > p > a": { display: "inline-block", lineHeight: "24px" },
      }}
    >
      {report.problems.length === 0 ? <p>{words.noProblems}</p> : null}
      {duplicates > 0 ? (
        <p>
          <PlainLink href={`#${DUPLICATES}`}>{words.duplicatesLink(duplicates)}</PlainLink>
        </p>
      ) : null}
      <CurrencyNote currencies={report.currencies} />
      {report.rejected.invoices > 0 && !hasWrongCells(report) ? (
        <ProblemRows realmId={realmId} check={check} />
      ) : null}
      <Box sx={{ ml: "auto" }} data-print="never">
        <Choice
          type="checkbox"
          checked={check.mode === "file"}
          onChange={({ target }) => again.setMode(target.checked ? "file" : "invoice")}
        >
          {words.allOrNothing}
        </Choice>
      </Box>
    </Box>
  );
}

/** True when there are errors other than unknown names. */
const hasWrongCells = ({ problems }: Report) =>
  problems.some(({ severity, code }) => severity === "error" && !hasUnknownNames(code));

function ProblemRows({ realmId, check: { id, filename } }: Pick<PartProps, "realmId" | "check">) {
  return (
    <ProblemRowsDownload
      fileName={filename}
      look="action"
      fetchDocument={() =>
        call(downloadProblemRows, { params: { upload_id: id }, query: { realm_id: realmId } })
      }
    />
  );
}

/** Questions, wrong cells and remarks, if any, then every invoice. */
function Details({ realmId, check, report, again }: PartProps) {
  const allow = useCheckCommand(allowDuplicates, realmId, check);
  const errors = report.problems.filter(({ severity }) => severity === "error");
  // A total that doesn't add up is a question about the whole file.
  const totals = report.problems.filter(({ code }) => code === "total_row_differs");
  const taxes = report.problems.filter(({ code }) => code === "tax_not_billed");
  const shown = [...errors, ...totals, ...taxes];
  const notes = report.problems.filter((group) => !shown.includes(group));
  const [searchFor, setSearchFor] = useState<{ text: string } | null>(null);
  const find = (text: string) => setSearchFor({ text });
  return (
    <>
      <TotalsNotice texts={totals.map(({ text }) => text)}>
        <p>
          <PlainLink href={`#${RECORDS}`}>{words.showRows}</PlainLink>
        </p>
      </TotalsNotice>
      {taxes.map(({ text }) => (
        <Notice key={text} tone="amber" title={words.taxMissing}>
          <p>{text}</p>
        </Notice>
      ))}
      {report.equal_invoices > 0 ? (
        <Notice tone="blue">
          <p>{words.duplicatesLeftOut(report.equal_invoices)}</p>
          <Button
            variant="outlined"
            disabled={allow.isPending || check.state !== "checked"}
            data-print="never"
            onClick={() => allow.mutate()}
          >
            {words.allowDuplicates}
          </Button>
        </Notice>
      ) : null}
      <FailedCall error={allow.error} />
      <Suspense fallback={<Spinner label={kitWords.loadingPage} />}>
        {errors.some(({ code }) => hasUnknownNames(code)) ? (
          <UnknownNames
            realmId={realmId}
            uploadId={check.id}
            version={check.revision}
            onChosen={() => again.ask()}
          />
        ) : null}
        {hasWrongCells(report) ? (
          <FixCells
            realmId={realmId}
            check={check}
            again={again}
            actions={<ProblemRows realmId={realmId} check={check} />}
            onFind={find}
          />
        ) : null}
      </Suspense>
      <CorrectedCells cells={check.corrections} onUndo={(cell) => again.ask([cell])} />
      <LeftOut
        records={check.left_out.map(({ row, rows, doc_number }) => ({ row, rows, name: doc_number }))}
        onPutBack={again.putBack}
      />
      <Notes groups={notes} />
      <Suspense fallback={<Spinner label={kitWords.loadingPage} />}>
        <ReviewInvoices realmId={realmId} check={check} again={again} searchFor={searchFor} onFind={find} />
      </Suspense>
    </>
  );
}

const row = { display: "flex", flexWrap: "wrap", alignItems: "flex-start", gap: 2, mt: 2 } as const;

type AgainProps = Omit<Props, "isTyped" | "onClose"> & { again: Again };

/** Checks the same file again, unchanged or with different column mappings. The server keeps the file once a check has finished or stopped. */
function CheckAgain({ realmId, check, again, onReplaced }: AgainProps) {
  const sent = useResend({ uploadId: check.id, purpose: "check", onSent: onReplaced });
  if (check.state === "posting" || check.state === "posted") return null;
  const isStored = check.state !== "waiting";
  if (!isStored && !sent.file) return <p data-print="never">{words.notHere}</p>;
  const repeat = isStored ? () => again.ask() : sent.sendAgain;
  return (
    <>
      <Box sx={row} data-print="never">
        <BusyButton label={words.again} isBusy={sent.isSending || again.isBusy} onClick={repeat} />
        {sent.file ? (
          <Disclosure title={words.columns} my={0}>
            <ColumnsEditor endpoints={sheet} realmId={realmId} file={sent.file} onSaved={repeat} />
          </Disclosure>
        ) : null}
      </Box>
      {sent.failure}
    </>
  );
}
