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
  summary: "Returns how many bytes are stored for a company, by kind, and its limits",
  response: stored,
});

export const readStorageOf = endpoint({
  method: "GET",
  path: "/api/v1/admin/storage",
  summary: "Returns how many bytes are stored for any company, by kind, and its limits; for operators",
  access: { kind: "user", group: "admin" },
  query: z.object({ realm_id: lineText().min(1).max(32) }),
  response: stored,
});
