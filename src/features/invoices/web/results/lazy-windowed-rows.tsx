import type { ResultGroup } from "#features/invoices/web/results/rules-groups.ts";
import { type ComponentType, useEffect, useState } from "react";

type Props = { rows: readonly ResultGroup[]; label: string };

let Loaded: ComponentType<Props> | null = null;

/** Loads what draws the rows of a long upload; called early, so that it is there when they are. */
export async function loadWindowedRows(): Promise<ComponentType<Props>> {
  Loaded = (await import("#features/invoices/web/results/windowed-rows.tsx")).WindowedRows;
  return Loaded;
}

/** Not by Suspense, which holds back for a third of a second what comes right behind a fallback. */
export function LazyWindowedRows(props: Props) {
  const [Rows, setRows] = useState(() => Loaded);
  const [error, setError] = useState<Error | null>(null);
  useEffect(() => {
    if (!Rows)
      loadWindowedRows().then(
        (found) => setRows(() => found),
        (reason: unknown) => setError(new Error("Rows could not be loaded.", { cause: reason })),
      );
  }, [Rows]);
  // The page shows it like every other part that could not be loaded.
  if (error) throw error;
  return Rows ? <Rows {...props} /> : null;
}
