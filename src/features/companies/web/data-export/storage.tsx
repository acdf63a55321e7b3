import { exportWords } from "#features/companies/web/data-export/words.ts";
import { storageQuery } from "#features/companies/web/queries.ts";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { formatBytes } from "#web/kit/format.ts";
import { OpenRow } from "#web/kit/rows.tsx";
import { Loading } from "#web/kit/spinner.tsx";
import { StoredList } from "#web/kit/stored/stored-list.tsx";
import { useQuery } from "@tanstack/react-query";

const words = exportWords.storage;

/** How much is stored for a company. */
export function StorageRow({ realmId }: { realmId: string }) {
  const { data, error, isPending, refetch } = useQuery(storageQuery(realmId));
  const total = data?.storage.reduce((sum, { used_bytes: used }) => sum + used, 0);
  return (
    <OpenRow {...words.row} state={total === undefined ? null : formatBytes(total)}>
      <FailedCall error={error} onRetry={() => void refetch()} />
      <Loading isBusy={isPending} label={words.row.loading}>
        {data ? <StoredList storage={data.storage} /> : null}
      </Loading>
    </OpenRow>
  );
}
