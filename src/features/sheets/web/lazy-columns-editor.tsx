import type { ColumnsEditor as Editor } from "#features/sheets/web/columns-editor.tsx";
import { loadingWords } from "#features/sheets/web/words.ts";
import { Spinner } from "#web/kit/spinner.tsx";
import { type ComponentProps, lazy, Suspense } from "react";

const Loaded = lazy(async () => ({
  default: (await import("#features/sheets/web/columns-editor.tsx")).ColumnsEditor,
}));

/** The matching of columns, loaded when a file asks for it. */
export function ColumnsEditor(props: ComponentProps<typeof Editor>) {
  return (
    <Suspense fallback={<Spinner label={loadingWords.columns} />}>
      <Loaded {...props} />
    </Suspense>
  );
}
