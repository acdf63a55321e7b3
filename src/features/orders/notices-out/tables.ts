import type { Generated, JSONColumnType } from "kysely";
import type { NoticeDocument, NoticeFacts, StoredState } from "#features/orders/notices-out/types.ts";

import type { NoticeKind, RetailerMessage } from "#features/orders/types.ts";

export type NoticeTables = {
  order_notice_settings: { realm_id: string; cut_off: string; sender_id: string; changed_at: Date };
  order_notice_counter: { realm_id: string; partner: string; last: number };
  order_notice: {
    realm_id: string;
    id: string;
    order_id: string;
    kind: NoticeKind;
    shipment_id: string | null;
    partner: string;
    document: NoticeDocument;
    po_number: string;
    facts: JSONColumnType<NoticeFacts>;
    state: Generated<StoredState>;
    created_at: Date;
    due_at: Date;
    is_held: Generated<boolean>;
    needs_contents: Generated<boolean>;
    control_number: number | null;
    content: Buffer | null;
    tried_at: Date | null;
    sent_at: Date | null;
    ended_at: Date | null;
    problems: JSONColumnType<readonly string[], string | undefined>;
  };
  order_message: {
    realm_id: string;
    id: string;
    order_id: string | null;
    notice_id: string | null;
    partner: string;
    document: RetailerMessage["document"] | "860";
    source: string;
    meaning: RetailerMessage["meaning"];
    sentences: JSONColumnType<readonly string[]>;
    received_at: Date;
  };
};
