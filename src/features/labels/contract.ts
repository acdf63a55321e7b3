import { endpoint } from "#contract/endpoint.ts";
import { lineText } from "#contract/text.ts";
import {
  correctedCell,
  correctedCells,
  MAX_FILE_BYTES,
  problemGroup,
  sheetEndpoints,
  wrongCell,
  XLSX_MEDIA_TYPE,
} from "#features/sheets/contract.ts";
import * as z from "zod";

/** Members with the group Labels; calls without a realm id concern the company on screen. */
const access = { kind: "member", group: "brainchild" } as const;

export const PDF_MEDIA_TYPE = "application/pdf";

/** A roll of 4 × 6 inch labels, or Letter sheets of two or four. */
const paper = z.enum(["roll", "letter-2", "letter-4"]);
export type Paper = z.output<typeof paper>;

/** As in the file, or sorted by purchase order or store. */
const printOrder = z.enum(["file", "po", "store"]);
export type PrintOrder = z.output<typeof printOrder>;

const printForm = {
  paper: paper.optional(),
  order: printOrder.optional(),
  separators: z.boolean().optional(),
};

/** Choices for the labels of one sheet; the company's settings apply to those left out. */
const labelChoices = z.object({
  /** One of the company's GS1 prefixes, for new SSCCs. */
  prefix: lineText().max(12).optional(),
  profile: lineText().max(60).optional(),
  ...printForm,
});
export type LabelChoices = z.output<typeof labelChoices>;

/** A sheet, the corrections of its cells, and the choices for its labels. */
const correctedFile = {
  file: { field: "file", maxBytes: MAX_FILE_BYTES },
  body: labelChoices.extend({ cells: correctedCells.default([]) }),
} as const;

export const createLabels = endpoint({
  access,
  method: "POST",
  path: "/api/v1/labels",
  summary: "Makes labels from an Excel or CSV file; the same rows give the same labels again",
  query: z.object({
    /** `good` leaves rows with errors out. By default, no labels are made if any row has an error. */
    rows: z.enum(["all", "good"]).default("all"),
  }),
  ...correctedFile,
  body: correctedFile.body.extend({
    /** Id of the upload, chosen by the page; sending the same id again does not create another upload. */
    print_id: z.uuid().optional(),
  }),
  response: { mediaType: PDF_MEDIA_TYPE },
  /** Reply when labels take longer than 45 seconds; `readLabelUpload` returns their state. */
  accepted: z.object({ upload_id: z.uuid() }),
});

/** Labels of one purchase order: their count, the first place, and the first and last SSCC. */
const orderOfUpload = z.object({
  po_number: z.string(),
  count: z.int(),
  first_label: z.int(),
  first_sscc: z.string(),
  last_sscc: z.string(),
});

const madeUpload = z.object({
  id: z.uuid(),
  filename: z.string(),
  label_count: z.int(),
  made_at: z.iso.datetime(),
  made_by: z.string(),
  orders: z.array(orderOfUpload),
  /** How often its labels were printed, including the first time. */
  prints: z.int(),
  /** Warnings about the sheet, by cause. */
  remarks: z.array(problemGroup),
});
export type LabelUploadView = z.output<typeof madeUpload>;

export const readLabelUpload = endpoint({
  access: { ...access, keys: ["read"] },
  method: "GET",
  path: "/api/v1/labels/uploads/:upload_id",
  summary: "Returns an upload and its labels by purchase order; for a rejected one, the reason",
  params: z.object({ upload_id: z.uuid() }),
  /**
   * `labels` is null while the upload is queued. For rows that became labels earlier, it is that earlier
   * upload.
   */
  response: z.object({ state: z.enum(["queued", "made"]), labels: madeUpload.nullable() }),
});

const listedUpload = z.object({
  id: z.uuid(),
  state: z.enum(["queued", "made", "refused"]),
  filename: z.string(),
  uploaded_at: z.iso.datetime(),
  uploaded_by: z.string(),
  label_count: z.int(),
  /** Reason for a rejection, else null. */
  problem: z.string().nullable(),
});

export const listLabelUploads = endpoint({
  access: { ...access, keys: ["read"] },
  method: "GET",
  path: "/api/v1/labels/uploads",
  summary: "Lists the company's label uploads, newest first",
  response: z.object({ uploads: z.array(listedUpload) }),
});
export type LabelUploads = z.output<typeof listLabelUploads.response>;

/** A row as it would be printed; `fix` means that its errors must be corrected first. */
const reviewRow = z.object({
  row: z.int(),
  po_number: z.string(),
  ship_to: z.string(),
  mark_for: z.string(),
  /** 0 for a further row of a carton with mixed contents. */
  labels: z.int(),
  state: z.enum(["ready", "fix"]),
});
export type LabelReviewRow = z.output<typeof reviewRow>;

const labelReview = z.object({
  filename: z.string(),
  /** Number of labels that the good rows make. */
  label_count: z.int(),
  error_count: z.int(),
  /** The first errors in sheet order. */
  errors: z.array(wrongCell),
  /** Warnings by cause. */
  remarks: z.array(problemGroup),
  corrections: z.array(correctedCell),
  rows: z.array(reviewRow),
});
export type LabelReview = z.output<typeof labelReview>;

export const reviewLabels = endpoint({
  access,
  method: "POST",
  path: "/api/v1/labels/review",
  readsOnly: true,
  summary: "Lists all problems of a sheet before labels are made from it; stores nothing",
  ...correctedFile,
  response: labelReview,
});

export const downloadProblemRows = endpoint({
  access,
  method: "POST",
  path: "/api/v1/labels/problem-rows",
  readsOnly: true,
  summary:
    "Downloads a sheet's rows that have errors, with the reasons, as a workbook to correct; stores nothing",
  ...correctedFile,
  response: { mediaType: XLSX_MEDIA_TYPE },
});

/** PDF, or the language of Zebra printers, which always print on a roll. */
const printFormat = z.enum(["pdf", "zpl"]);
export type PrintFormat = z.output<typeof printFormat>;

/** Labels to print, by place ("1-20, 35") or purchase order, else all, and the print settings. */
const chosenLabels = z.strictObject({
  format: printFormat.default("pdf"),
  labels: lineText().max(500).optional(),
  po_number: lineText().max(30).optional(),
  ...printForm,
});
export type ChosenLabels = z.input<typeof chosenLabels>;

export const printLabels = endpoint({
  access,
  cost: "heavy",
  method: "POST",
  path: "/api/v1/labels/uploads/:upload_id/print",
  summary: "Reprints labels of an upload, with the same SSCCs",
  params: z.object({ upload_id: z.uuid() }),
  body: chosenLabels,
  response: { mediaType: PDF_MEDIA_TYPE },
});

export const printTestPage = endpoint({
  access,
  method: "GET",
  path: "/api/v1/labels/test-page",
  summary: "Downloads a test page that shows the printer's scale and resolution",
  query: z.object({ format: printFormat.default("pdf") }),
  response: { mediaType: PDF_MEDIA_TYPE },
});

const point = { x: z.number(), y: z.number() };

/** Drawing of one label, in points from its top left corner. */
const labelDrawing = z.object({
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
  /**
   * `bars`: widths of bars and spaces in modules, starting with a bar; `module` is the width of one module.
   */
  symbols: z.array(z.object({ ...point, height: z.number(), module: z.number(), bars: z.string() })),
  sscc: z.string(),
  /** How often this label was printed. */
  prints: z.int(),
});
export type LabelDrawing = z.output<typeof labelDrawing>;

export const drawLabel = endpoint({
  access,
  method: "GET",
  path: "/api/v1/labels/uploads/:upload_id/labels/:seq",
  summary: "Returns one label as it prints, for a preview",
  params: z.object({ upload_id: z.uuid(), seq: z.coerce.number().int().min(1).max(1_000_000) }),
  query: z.object({ paper: paper.optional() }),
  response: labelDrawing,
});

export const exportSsccs = endpoint({
  access,
  cost: "heavy",
  method: "GET",
  path: "/api/v1/labels/ssccs.csv",
  summary:
    "Lists every SSCC of the company, or of one upload, with its carton, sheet row, user, time, and prints",
  query: z.object({ upload_id: z.uuid().optional() }),
  response: { mediaType: "text/csv" },
});

const part = (max: number) => lineText().trim().max(max);

const shipFrom = z.object({
  code: part(12).min(1),
  name: part(35).min(1),
  address1: part(35),
  address2: part(35),
  city: part(30),
  state: part(3),
  postal_code: part(10),
});

/** Serials of a prefix with the company's extension digit. */
const serials = z.object({ total: z.int(), left: z.int(), is_low: z.boolean() });

const labelSettings = z.object({
  /** GS1 company prefix, 4 to 12 digits; null until the admin enters it. */
  prefix: z.string().nullable(),
  extension: z.int().min(0).max(9),
  next_serial: z.int().min(0),
  profile: z.string(),
  resolution: z.enum(["203", "300", "600"]),
  paper,
  order: printOrder,
  separators: z.boolean(),
  /** The first one is used if a sheet names none. */
  ship_froms: z.array(shipFrom),
  profiles: z.array(z.object({ id: z.string(), name: z.string() })),
  /** Serials of the prefix; null without a prefix. */
  serials: serials.nullable(),
  /** More GS1 prefixes of the company; an upload may choose one. */
  other_prefixes: z.array(z.object({ prefix: z.string(), next_serial: z.int().min(0), serials })),
  /**
   * Prefixes that another company of this installation uses with the same extension digit, so that their
   * SSCCs could collide, and a digit that no other company uses with them; null for none.
   */
  shared: z.object({ prefixes: z.array(z.string()), free_digit: z.int().nullable() }).nullable(),
});
export type LabelSettingsView = z.output<typeof labelSettings>;

export const readLabelSettings = endpoint({
  access,
  method: "GET",
  path: "/api/v1/labels/settings",
  summary: "Returns the label settings: GS1 prefixes, serials, ship-from addresses, profile, and printer",
  response: labelSettings,
});

const prefix = lineText().regex(/^\d{4,12}$/, "must be 4 to 12 digits");

const labelSettingsChange = labelSettings
  .pick({ extension: true, profile: true, resolution: true, paper: true, order: true, separators: true })
  .extend({
    prefix,
    /** Lower serials are never assigned. */
    next_serial: z.int().min(0).optional(),
    other_prefixes: z.array(z.object({ prefix, next_serial: z.int().min(0).optional() }).strict()).max(20),
    ship_froms: z.array(shipFrom).max(50),
  })
  .strict();
export type LabelSettingsChange = z.output<typeof labelSettingsChange>;

export const changeLabelSettings = endpoint({
  access: { ...access, admin: true },
  method: "PUT",
  path: "/api/v1/labels/settings",
  summary: "Changes the label settings",
  body: labelSettingsChange,
  response: labelSettings,
});

export const { readColumns, listColumnChoices, chooseColumns, readDateOrder, chooseDateOrder } =
  sheetEndpoints({ path: "/api/v1/labels", access });
