import type { LabelChoices } from "#features/labels/web/print/print-choices.tsx";
import type { LabelReview } from "#features/labels/contract.ts";
import type { ToReview } from "#features/labels/web/gs1/use-label-upload.ts";
import { labelReviewQuery } from "#features/labels/web/queries.ts";
import { labelWords } from "#features/labels/web/words.ts";
import type { FixedCell } from "#features/sheets/web/index.ts";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";

const words = labelWords.review;

/** What is wrong with a file, asked again with each cell that is corrected here. The file itself stays as it is. */
export function useLabelReview(realmId: string, file: ToReview, choices: LabelChoices) {
  const announce = useAnnounce();
  const [cells, setCells] = useState<readonly FixedCell[]>([]);
  const { data, error, isFetching, refetch } = useQuery(labelReviewQuery(realmId, file, { cells, choices }));
  const errors = isFetching ? null : errorsOf(data);
  useEffect(() => {
    if (errors !== null) announce(words.left(errors));
  }, [errors, announce]);
  return {
    review: data,
    cells,
    error,
    isChecking: isFetching,
    refetch: () => void refetch(),
    fix: (fixed: FixedCell) => setCells((before) => [...without(before, fixed), fixed]),
    undo: (cell: Omit<FixedCell, "value">) => setCells((before) => without(before, cell)),
  };
}

const errorsOf = (review: LabelReview | undefined): number | null => review?.error_count ?? null;

const without = (cells: readonly FixedCell[], { row, field }: Omit<FixedCell, "value">) =>
  cells.filter((cell) => cell.row !== row || cell.field !== field);
