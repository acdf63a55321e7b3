import type { Generated } from "kysely";
import type { UndoAction } from "#features/invoices/undo/contract.ts";

export type UndoState = "queued" | "working" | "paused" | "finished" | "stopped";

export type UndoTables = {
  upload_undo: {
    realm_id: string;
    id: string;
    upload_id: string;
    action: UndoAction;
    state: UndoState;
    reason: Generated<string>;
    requested_by: string;
    requested_at: Date;
    finished_at: Date | null;
  };
};
