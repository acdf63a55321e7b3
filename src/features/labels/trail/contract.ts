import { endpoint } from "#contract/endpoint.ts";
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
  profile: z.string(),
  resolution: z.enum(["203", "300", "600"]),
  /** Width of the narrowest bar, in millimeters and in dots of the printer. */
  module_mm: z.number(),
  module_dots: z.int(),
  label_count: z.int(),
  symbol_count: z.int(),
  symbols: z.array(provenSymbol),
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
