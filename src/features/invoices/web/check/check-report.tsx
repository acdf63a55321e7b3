import {
  allowDuplicates,
  type CheckReport as Report,
  type UploadCheck,
} from "#features/invoices/check/contract.ts";
import { downloadProblemRows } from "#features/invoices/contract.ts";
import { CheckAgain } from "#features/invoices/web/check/check-again.tsx";
import { CheckDecision } from "#features/invoices/web/check/check-decision.tsx";
import { useCheckCommand } from "#features/invoices/web/check/use-check-command.ts";
import { DUPLICATES } from "#features/invoices/web/check/duplicates-place.ts";
import { checkWords as words } from "#features/invoices/web/check/words.ts";
import { hasUnknownNames } from "#features/invoices/web/names/queries.ts";
import { FixCells, ReviewInvoices, UnknownNames } from "#features/invoices/web/review/lazy-parts.ts";
import { type Again, useCheckAgain } from "#features/invoices/web/review/use-check-again.ts";
import { CurrencyNote } from "#features/invoices/web/tables/currency-note.tsx";
import { CorrectedCells, LeftOut, ProblemList, ProblemRowsDownload } from "#features/sheets/web/index.ts";
import { call } from "#web/kit/api-client.ts";
import { Card } from "#web/kit/card.tsx";
import { Choice } from "#web/kit/choice.tsx";
import { Disclosure } from "#web/kit/disclosure.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { Notice } from "#web/kit/notice.tsx";
import { Spinner } from "#web/kit/spinner.tsx";
import { PlainLink } from "#web/kit/text-link.tsx";
import { kitWords } from "#web/kit/words.ts";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { Suspense, useState } from "react";

type Props = {
  realmId: string;
  check: UploadCheck;
  onReplaced: (checkId: string) => void;
  onClose: () => void;
};

/** What a check found: totals beside the decision, then questions, faults, remarks and every invoice. */
export function CheckReport({ realmId, check, onReplaced, onClose }: Props) {
  const again = useCheckAgain(realmId, check);
  const report = check.state === "posted" ? null : check.report;
  return (
    <>
      <CheckDecision realmId={realmId} check={check} onClose={onClose} />
      {report ? <Facts realmId={realmId} check={check} report={report} again={again} /> : null}
      <FailedCall error={again.error} />
      {report ? <Details realmId={realmId} check={check} report={report} again={again} /> : null}
      <CheckAgain realmId={realmId} check={check} stored={again} onReplaced={onReplaced} />
    </>
  );
}

type PartProps = { check: UploadCheck; report: Report; again: Again };

/** What else is to be known before the decision, and whether one fault is to keep all invoices back. */
function Facts({ realmId, check, report, again }: PartProps & Pick<Props, "realmId">) {
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
        // A finger needs 24 px.
        "& > p > a": { display: "inline-block", lineHeight: "24px" },
      }}
    >
      <p>{words.customers(report.customers)}</p>
      {report.problems.length === 0 ? <p>{words.noProblems}</p> : null}
      {duplicates > 0 ? (
        <p>
          <PlainLink href={`#${DUPLICATES}`}>{words.duplicatesOf(duplicates)}</PlainLink>
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

/** Errors that no answer to a question settles. */
const hasWrongCells = ({ problems }: Report) =>
  problems.some(({ severity, code }) => severity === "error" && !hasUnknownNames(code));

function ProblemRows({ realmId, check: { id, filename } }: Pick<Props, "realmId" | "check">) {
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

function Details({ realmId, check, report, again }: PartProps & Pick<Props, "realmId">) {
  const add = useCheckCommand(allowDuplicates, realmId, check);
  const errors = report.problems.filter(({ severity }) => severity === "error");
  const warnings = report.problems.filter(({ severity }) => severity === "warning");
  const remarks = report.problems.filter(({ severity }) => severity === "info");
  const [sought, setSought] = useState<{ text: string } | null>(null);
  const find = (text: string) => setSought({ text });
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
      <LeftOut records={check.left_out} onPutBack={again.putBack} />
      {warnings.length > 0 ? (
        <Card title={words.warnings}>
          <ProblemList tone="amber" groups={warnings} />
        </Card>
      ) : null}
      {remarks.length > 0 ? (
        <Disclosure title={words.remarks(remarks.length)}>
          <ProblemList tone="blue" groups={remarks} />
        </Disclosure>
      ) : null}
      <Suspense fallback={<Spinner label={kitWords.loadingPage} />}>
        <ReviewInvoices realmId={realmId} check={check} again={again} sought={sought} onFind={find} />
      </Suspense>
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
