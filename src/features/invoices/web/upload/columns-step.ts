import { createContext } from "react";

/** The file whose columns are asked about, and how to leave that step. */
export type Asked = { filename: string; leave: () => void };

type ColumnsStep = { asked: Asked | null; ask: (asked: Asked | null) => void };

/** The step that matches a file's columns: the rest of the Upload page is gone while it lasts. */
export const ColumnsStepContext = createContext<ColumnsStep>({ asked: null, ask: () => undefined });
