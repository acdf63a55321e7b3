import type { ColumnsEditor as Editor } from "#features/sheets/web/columns-editor.tsx";
import { loadingWords } from "#features/sheets/web/words.ts";
import { Spinner } from "#web/kit/spinner.tsx";
import { type ComponentProps, lazy, Suspense } from "react";
import type { RecordTable as Table } from "#features/sheets/web/record-table.tsx";

const Loaded = lazy(async () => ({
  default: (await import("#features/sheets/web/columns-editor.tsx")).ColumnsEditor,
}));

/** Column matching, loaded when a file needs it. */
export function ColumnsEditor(props: ComponentProps<typeof Editor>) {
  return (
    <Suspense fallback={<Spinner label={loadingWords.columns} />}>
      <Loaded {...props} />
    </Suspense>
  );
}

/** Table of records, loaded when a page first shows one. The cast restores the type parameter that `lazy` drops. */
export const RecordTable = lazy(async () => ({
  default: (await import("#features/sheets/web/record-table.tsx")).RecordTable,
})) as unknown as typeof Table;
