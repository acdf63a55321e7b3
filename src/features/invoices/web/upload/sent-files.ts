import type { UploadMode } from "#features/invoices/contract.ts";
import { createContext } from "react";

export type SentFile = {
  file: File;
  mode: UploadMode;
  /** Makes the file from what is typed now; files that were chosen have none. */
  latest?: () => File;
};

export type SentFiles = {
  /** Those sent since the page was opened, by the id of their check or upload, so that they can be sent again. */
  byId: Map<string, SentFile>;
  /** What users read of a file that is being sent if their session ends meanwhile; null once there is nothing to say. */
  note: (words: string | null) => void;
};

export const SentFilesContext = createContext<SentFiles>({ byId: new Map(), note: () => undefined });
