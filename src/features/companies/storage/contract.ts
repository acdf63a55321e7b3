import { endpoint } from "#contract/endpoint.ts";
import { storedBytes } from "#contract/storage.ts";
import { lineText } from "#contract/text.ts";
import { adminCall } from "#features/companies/contract.ts";
import * as z from "zod";

const stored = z.object({ storage: z.array(storedBytes) });

export const readStorage = endpoint({
  ...adminCall,
  method: "GET",
  path: "/api/v1/company/storage",
  summary: "Shows how many bytes are stored for a company, by kind, and how many may be",
  response: stored,
});

export const readStorageOf = endpoint({
  method: "GET",
  path: "/api/v1/admin/storage",
  summary: "Shows the same of any company, for operators",
  access: { kind: "user", group: "admin" },
  query: z.object({ realm_id: lineText().min(1).max(32) }),
  response: stored,
});
