import { endpoint } from "#contract/endpoint.ts";
import { adminCall } from "#features/companies/contract.ts";
import * as z from "zod";

/** An export of all data of a company. */
const dataExport = z.object({
  id: z.uuid(),
  /** `failed`: it couldn't be made because of a failure on our side. */
  state: z.enum(["making", "made", "failed"]),
  /** E-mail of the admin who asked for it. */
  requested_by: z.string(),
  requested_at: z.iso.datetime(),
  /** Files that are written so far. */
  files: z.int(),
  /** Size of a finished export; like its SHA-256 (hexadecimal digits), null before. */
  size_bytes: z.int().nullable(),
  sha256: z.string().nullable(),
  /** When it is removed. */
  expires_at: z.iso.datetime().nullable(),
});
export type DataExport = z.output<typeof dataExport>;

export const listExports = endpoint({
  ...adminCall,
  method: "GET",
  path: "/api/v1/company/exports",
  summary: "Lists the exports of all data of a company that are kept or being made, newest first",
  response: z.object({ exports: z.array(dataExport) }),
});

export const requestExport = endpoint({
  ...adminCall,
  method: "POST",
  path: "/api/v1/company/exports",
  summary: "Exports all data of a company in the background; while an export is being made, returns that one",
  status: 202,
  response: z.object({ export: dataExport }),
});

export const downloadExport = endpoint({
  ...adminCall,
  cost: "heavy",
  method: "GET",
  path: "/api/v1/company/exports/:export_id/file",
  summary: "Downloads an export: a tar archive of CSV tables, files, and a manifest with hashes",
  params: z.object({ export_id: z.uuid() }),
  response: { mediaType: "application/x-tar" },
});
