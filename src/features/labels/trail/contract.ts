import { endpoint } from "#contract/endpoint.ts";
import { XLSX_MEDIA_TYPE } from "#features/sheets/contract.ts";
import * as z from "zod";

const access = { kind: "member", group: "brainchild" } as const;

export const exportSsccs = endpoint({
  access,
  method: "GET",
  path: "/api/v1/labels/ssccs.csv",
  summary:
    "Every SSCC that a company's cartons were given, with purchase order, upload, row, user, time and prints",
  response: { mediaType: "text/csv" },
});

export const exportSsccWorkbook = endpoint({
  access,
  method: "GET",
  path: "/api/v1/labels/ssccs.xlsx",
  summary: "The same as a workbook",
  response: { mediaType: XLSX_MEDIA_TYPE },
});

const cartonFormat = z.enum(["csv", "json", "edi"]);
export type CartonFormat = z.output<typeof cartonFormat>;

export const exportCartons = endpoint({
  access,
  method: "GET",
  path: "/api/v1/labels/uploads/:upload_id/cartons/:format",
  summary:
    "The cartons of an upload with their SSCCs, for an advance ship notice: as CSV, as JSON, or as a draft of an X12 856",
  params: z.object({ upload_id: z.uuid(), format: cartonFormat }),
  response: { mediaType: "application/octet-stream" },
});

/** What was proven of one kind of bar code of a batch; widths in millimeters. */
const provenSymbol = z.object({
  identifier: z.string(),
  count: z.int(),
  example: z.string(),
  code_words: z.array(z.int()),
  min_width_mm: z.number(),
  max_width_mm: z.number(),
  min_height_mm: z.number(),
  min_quiet_zone_mm: z.number(),
});

const verification = z.object({
  upload_id: z.uuid(),
  filename: z.string(),
  made_at: z.iso.datetime(),
  made_by: z.string(),
  profile: z.string(),
  resolution: z.enum(["203", "300", "600"]),
  /** Width of the narrowest bar, in millimeters and in dots of the printer. */
  module_mm: z.number(),
  module_dots: z.int(),
  label_count: z.int(),
  symbol_count: z.int(),
  symbols: z.array(provenSymbol),
  /** Labels whose bars were drawn as the printer's dots from their document, and read back from these. */
  sample: z.object({
    labels: z.int(),
    symbols: z.int(),
    /** Lines of dots on which a bar code was read. */
    lines: z.int(),
    /** The most that a bar or a space is off its width, in modules. */
    max_error: z.number(),
  }),
  /** Empty when every bar code is as GS1 asks. */
  faults: z.array(z.object({ label: z.int(), fault: z.string() })),
});
export type Verification = z.output<typeof verification>;

export const verifyLabels = endpoint({
  access,
  method: "GET",
  path: "/api/v1/labels/uploads/:upload_id/verification",
  summary: "What every bar code of an upload holds and measures, read back from its code words",
  params: z.object({ upload_id: z.uuid() }),
  response: verification,
});

export const printVerification = endpoint({
  access,
  method: "GET",
  path: "/api/v1/labels/uploads/:upload_id/verification.pdf",
  summary: "The same as a page to print",
  params: z.object({ upload_id: z.uuid() }),
  response: { mediaType: "application/pdf" },
});
