import type { JSONColumnType } from "kysely";
import type { Vendor } from "#features/differences/types.ts";

export type DifferenceTables = {
  difference: {
    id: string;
    realm_id: string;
    vendor: Vendor;
    subject: string;
    code: string;
    params: JSONColumnType<Readonly<Record<string, string>>>;
    found_at: Date;
  };
};
