import type { Generated, JSONColumnType } from "kysely";
import type { FolderFault } from "#integrations/folders/folder.ts";

/** Size and time of files at the last look, by name. */
export type Looks = Readonly<Record<string, string>>;

export type FolderTables = {
  order_folder: {
    realm_id: string;
    kind: "sftp" | "local";
    host: string;
    port: number;
    user_name: string;
    auth: "password" | "key" | "";
    secret_sealed: string;
    host_key: string;
    folder_in: string;
    folder_out: string;
    state: "active" | "failing" | "stopped";
    fault: FolderFault | null;
    failures: Generated<number>;
    next_at: Date;
    polled_at: Date | null;
    looks: JSONColumnType<Looks>;
    taken_up_to: Generated<string | null>;
    changed_at: Date;
    changed_by: string;
  };
};
