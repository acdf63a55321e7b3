import { endpoint } from "#contract/endpoint.ts";
import { lineText } from "#contract/text.ts";
import * as z from "zod";

const call = {
  access: { kind: "member", group: "brainchild" },
  params: z.object({ upload_id: z.uuid() }),
} as const;

/** What labels are printed on: a roll of 4 × 6 inches, or Letter sheets of two or four. */
export const paper = z.enum(["roll", "letter-2", "letter-4"]);
export type Paper = z.output<typeof paper>;

/** As the file has them, or by purchase order or store. */
export const printOrder = z.enum(["file", "po", "store"]);
export type PrintOrder = z.output<typeof printOrder>;

/**
 * Which labels: by their places, "1-20, 35"; or those of a purchase order; all of them where neither is said. And how;
 * what is not said is as the company's settings have it.
 */
const chosen = z.strictObject({
  labels: lineText().max(500).optional(),
  po_number: lineText().max(30).optional(),
  paper: paper.optional(),
  order: printOrder.optional(),
  separators: z.boolean().optional(),
});
export type ChosenLabels = z.output<typeof chosen>;

export const printLabels = endpoint({
  ...call,
  method: "POST",
  path: "/api/v1/labels/uploads/:upload_id/pdf",
  summary: "Labels of an upload once more, with the same SSCCs, as a PDF; counts as printed",
  body: chosen,
  response: { mediaType: "application/pdf" },
});

export const printZpl = endpoint({
  ...call,
  method: "POST",
  path: "/api/v1/labels/uploads/:upload_id/zpl",
  summary: "The same for Zebra printers, always on a roll",
  body: chosen,
  response: { mediaType: "application/octet-stream" },
});

const point = { x: z.number(), y: z.number() };

/** What is drawn on one label, in points from its top left corner. */
export const drawing = z.object({
  width: z.number(),
  height: z.number(),
  texts: z.array(
    z.object({
      ...point,
      text: z.string(),
      size: z.number(),
      bold: z.boolean(),
      align: z.enum(["left", "center", "right"]),
      stretch: z.number(),
    }),
  ),
  rules: z.array(z.object({ ...point, width: z.number(), height: z.number() })),
  /** `bars`: widths of bars and spaces in modules, beginning with a bar; `module` is the width of one. */
  symbols: z.array(z.object({ ...point, height: z.number(), module: z.number(), bars: z.string() })),
});
export type Drawing = z.output<typeof drawing>;

/** `prints`: how often it was printed. */
const labelDrawing = drawing.extend({ sscc: z.string(), prints: z.int() });
export type LabelDrawing = z.output<typeof labelDrawing>;

export const drawLabel = endpoint({
  ...call,
  method: "GET",
  path: "/api/v1/labels/uploads/:upload_id/labels/:seq",
  summary: "One label as it is drawn, for a preview from the same drawing that is printed",
  params: call.params.extend({ seq: z.coerce.number().int().min(1).max(1_000_000) }),
  query: z.object({ paper: paper.optional() }),
  response: labelDrawing,
});

const testPage = { access: call.access, method: "GET" } as const;

export const printTestPdf = endpoint({
  ...testPage,
  path: "/api/v1/labels/test-page.pdf",
  summary: "A page that shows by eye whether a printer scales, and what resolution it has",
  response: { mediaType: "application/pdf" },
});

export const printTestZpl = endpoint({
  ...testPage,
  path: "/api/v1/labels/test-page.zpl",
  summary: "The same for Zebra printers",
  response: { mediaType: "application/octet-stream" },
});
