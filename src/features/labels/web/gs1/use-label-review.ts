import { reviewWords } from "#features/labels/web/gs1/words.ts";
import type { LabelChoices } from "#features/labels/web/print-choices.tsx";
import type { LabelReview } from "#features/labels/contract.ts";
import type { ToReview } from "#features/labels/web/gs1/use-label-upload.ts";
import { labelReviewQuery } from "#features/labels/web/queries.ts";
import type { FixedCell } from "#features/sheets/web/review.ts";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { useSession } from "#web/kit/session/session.ts";
import { openDraft } from "#web/kit/use-draft.ts";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";

const words = reviewWords;

/**
 * Reviews a file again after each corrected cell. The file itself stays unchanged; the corrections are kept
 * for the browser session, or until the user corrects another file.
 */
export function useLabelReview(realmId: string, file: ToReview, choices: LabelChoices) {
  const announce = useAnnounce();
  const { email } = useSession();
  const [kept] = useState(() => openSavedCorrections(`${email}.${realmId}`, file.file));
  const [cells, setCells] = useState(kept.get);
  const change = (next: readonly FixedCell[]) => {
    setCells(next);
    kept.keep(next);
  };
  const { data, error, isFetching, refetch } = useQuery(labelReviewQuery(realmId, file, { cells, choices }));
  const errors = isFetching ? null : countErrors(data);
  useEffect(() => {
    if (errors !== null) announce(words.left(errors));
  }, [errors, announce]);
  return {
    review: data,
    cells,
    error,
    isChecking: isFetching,
    refetch: () => void refetch(),
    fix: (fixed: FixedCell) => change([...without(cells, fixed), fixed]),
    undo: (cell: Omit<FixedCell, "value">) => change(without(cells, cell)),
  };
}

const countErrors = (review: LabelReview | undefined): number | null => review?.error_count ?? null;

const without = (cells: readonly FixedCell[], { row, field }: Omit<FixedCell, "value">) =>
  cells.filter((cell) => cell.row !== row || cell.field !== field);

/** Opens the stored corrections of one file, identified by name, size and time. */
function openSavedCorrections(owner: string, { name, size, lastModified }: File) {
  const draft = openDraft(`label-cells.${owner}`);
  const begin = `${size} ${lastModified} ${name}\n`;
  return {
    get: (): readonly FixedCell[] => {
      const text = draft.get();
      return text?.startsWith(begin) ? (JSON.parse(text.slice(begin.length)) as FixedCell[]) : [];
    },
    keep: (cells: readonly FixedCell[]) => draft.keep(begin + JSON.stringify(cells)),
  };
}
