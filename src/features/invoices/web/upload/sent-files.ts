import type { UploadMode } from "#features/invoices/contract.ts";
import { createContext } from "react";

export type SentFile = {
  file: File;
  mode: UploadMode;
  /** Makes the file from what is typed now; files that were chosen have none. */
  latest?: () => File;
};

/** Files sent since the page was opened, by the id of their check or upload, so that they can be sent again. */
export type SentFiles = Map<string, SentFile>;

export const SentFilesContext = createContext<SentFiles>(new Map());
