import type { UploadCheck } from "#features/invoices/check/contract.ts";
import { checkRowsQuery } from "#features/invoices/web/check/queries.ts";
import { checkWords as words } from "#features/invoices/web/check/words.ts";
import { Disclosure } from "#web/kit/disclosure.tsx";
import { ResultTable } from "#features/invoices/web/results/result-table.tsx";
import { uploadWords } from "#features/invoices/web/words.ts";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { formatCount } from "#web/kit/format.ts";
import { Loading } from "#web/kit/spinner.tsx";
import { useQuery } from "@tanstack/react-query";

/** Every row of a check with what would become of it, in the words and colours of the results. */
export function CheckRows({ realmId, check }: { realmId: string; check: UploadCheck }) {
  return (
    <Disclosure title={words.rowsTitle(formatCount(check.result_count))}>
      <Rows realmId={realmId} check={check} />
    </Disclosure>
  );
}

function Rows({ realmId, check }: { realmId: string; check: UploadCheck }) {
  const complete = check.result_count <= check.results.length;
  const { data, error, isLoading, refetch } = useQuery({
    ...checkRowsQuery(realmId, check),
    enabled: !complete,
  });
  const rows = complete ? check.results : data?.results;
  return (
    <>
      <FailedCall error={error} onRetry={() => void refetch()} />
      <Loading isBusy={isLoading} label={uploadWords.results.loadingRows}>
        {rows ? <ResultTable rows={rows} label={words.tableOf(check.filename)} /> : null}
      </Loading>
    </>
  );
}
