import type { ContactMessage } from "#features/legal/contract.ts";

export type LegalTables = {
  contact_message: ContactMessage & { id: string; sent_at: Date };
};
