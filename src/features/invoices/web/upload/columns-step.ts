import { createContext } from "react";

/** The file whose columns are matched by the user, and how to leave that step. */
export type UnmatchedFile = { filename: string; leave: () => void };

type ColumnsStep = {
  unmatched: UnmatchedFile | null;
  setUnmatched: (unmatched: UnmatchedFile | null) => void;
};

/** The step that matches a file's columns: the rest of the Upload page is gone while it lasts. */
export const ColumnsStepContext = createContext<ColumnsStep>({
  unmatched: null,
  setUnmatched: () => undefined,
});
