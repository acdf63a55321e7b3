import type { SheetEndpoints } from "#features/sheets/contract.ts";
import {
  changedColumns,
  doubleField,
  meaningsOf,
  type Meanings,
  missingFields,
} from "#features/sheets/web/rules-columns.ts";
import { ColumnsTable } from "#features/sheets/web/columns-table.tsx";
import { loadingWords } from "#features/sheets/web/words.ts";
import { columnsWords as words } from "#features/sheets/web/words-columns.ts";
import { call, type CallReply } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { Loading } from "#web/kit/spinner.tsx";
import Typography from "@mui/material/Typography";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";

type Props = { endpoints: SheetEndpoints; realmId: string; file: File; onSaved: () => void };

/** Asks what the columns of a workbook mean, and has it remembered for the company. */
export function ColumnsEditor({ endpoints, realmId, file, onSaved }: Props) {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ["columns", endpoints.readColumns.path, realmId, file.name, file.size, file.lastModified],
    queryFn: ({ signal }) => call(endpoints.readColumns, { query: { realm_id: realmId }, file, signal }),
    // What the columns mean changes with every choice that is saved.
    gcTime: 0,
    staleTime: 0,
  });
  return (
    <div role="group" aria-label={words.title}>
      <FailedCall error={error} onRetry={() => void refetch()} />
      <Loading isBusy={isPending} label={loadingWords.columns}>
        {data ? <Editor endpoints={endpoints} realmId={realmId} seen={data} onSaved={onSaved} /> : null}
      </Loading>
    </div>
  );
}

type EditorProps = Omit<Props, "file"> & { seen: CallReply<SheetEndpoints["readColumns"]> };

function Editor({ endpoints, realmId, seen, onSaved }: EditorProps) {
  const announce = useAnnounce();
  const [meanings, setMeanings] = useState<Meanings>(() => meaningsOf(seen.columns));
  const missing = missingFields(seen.fields, meanings);
  const double = doubleField(seen.fields, meanings);
  const changed = changedColumns(seen.columns, meanings);
  const save = useMutation({
    mutationFn: async () => {
      if (changed.length === 0) return;
      await call(endpoints.chooseColumns, { query: { realm_id: realmId }, body: { columns: changed } });
    },
    onSuccess: () => {
      announce(words.saved);
      onSaved();
    },
  });
  const fault = double ? words.twice(double) : missing.length > 0 ? words.missing(missing) : null;
  return (
    <>
      <Typography variant="h2" sx={{ mt: 3, mb: 0.5 }}>
        {missing.length > 0 ? words.toGo(missing.length) : words.title}
      </Typography>
      <p style={{ margin: 0 }}>{words.intro(seen.sheet, seen.header_row)}</p>
      <ColumnsTable
        columns={seen.columns}
        fields={seen.fields}
        meanings={meanings}
        isOpen={double !== null}
        onChange={(index, meaning) => setMeanings(meanings.map((old, at) => (at === index ? meaning : old)))}
      />
      <p role="status">{fault}</p>
      <BusyButton
        label={words.save}
        variant="contained"
        disabled={fault !== null}
        isBusy={save.isPending}
        onClick={save.mutate}
      />
      <FailedCall error={save.error} />
    </>
  );
}
