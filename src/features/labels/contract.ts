import { endpoint } from "#contract/endpoint.ts";
import {
  correctedCell,
  correctedCells,
  MAX_FILE_BYTES,
  problemGroup,
  sheetEndpoints,
  XLSX_MEDIA_TYPE,
} from "#features/sheets/contract.ts";
import { paper, printOrder } from "#features/labels/print/contract.ts";
import { lineText } from "#contract/text.ts";
import * as z from "zod";

/** Who may call what is about one company's labels. Calls without a realm id are about the company on screen. */
export const labelsAccess = { kind: "member", group: "brainchild" } as const;
export const labelsCall = { access: labelsAccess } as const;

export const PDF_MEDIA_TYPE = "application/pdf";

/** The header of a document that names the upload whose labels it has. */
export const UPLOAD_HEADER = "X-Document-Of";

/** How labels of one sheet are made; what is not said is as the company's settings have it. */
const labelChoices = z.object({
  /** One of the company's GS1 prefixes, from which new SSCCs are given. */
  prefix: lineText().max(12).optional(),
  profile: lineText().max(60).optional(),
  paper: paper.optional(),
  order: printOrder.optional(),
  separators: z.boolean().optional(),
});
export type LabelChoices = z.output<typeof labelChoices>;

/** A sheet, what a user corrected of it, and how its labels are made. */
const correctedFile = {
  file: { field: "file", maxBytes: MAX_FILE_BYTES },
  body: labelChoices.extend({ cells: correctedCells.default([]) }),
} as const;

/** The answer while labels are being made for longer than anyone on the way waits; then they are found by its id. */
const lateAnswer = z.object({ print_id: z.uuid() });

export const createLabels = endpoint({
  ...labelsCall,
  method: "POST",
  path: "/api/v1/labels",
  summary:
    "Makes labels of a workbook or a CSV file and answers with them, or with 202 after a minute; the same rows are the same labels again",
  query: z.object({
    /** `good`: rows with errors are left out. By default nothing is made while there is one. */
    rows: z.enum(["all", "good"]).default("all"),
  }),
  ...correctedFile,
  body: correctedFile.body.extend({
    /** By this id of its own a caller finds the labels when their answer is late or lost. */
    print_id: z.uuid().optional(),
  }),
  response: { mediaType: PDF_MEDIA_TYPE },
  late: lateAnswer,
});

const foundPrint = z.object({
  state: z.enum(["making", "made"]),
  /** Of those that are made. */
  upload_id: z.uuid().nullable(),
});
export type FoundPrint = z.output<typeof foundPrint>;

export const findPrint = endpoint({
  ...labelsCall,
  method: "GET",
  path: "/api/v1/labels/prints/:print_id",
  summary: "What became of labels whose answer was late or lost",
  params: z.object({ print_id: z.uuid() }),
  response: foundPrint,
});

/** Labels of one purchase order: how many, where they begin, and the first and the last SSCC. */
const orderOfUpload = z.object({
  po_number: z.string(),
  count: z.int(),
  first_label: z.int(),
  first_sscc: z.string(),
  last_sscc: z.string(),
});

export const labelUpload = z.object({
  id: z.uuid(),
  filename: z.string(),
  label_count: z.int(),
  made_at: z.iso.datetime(),
  made_by: z.string(),
  orders: z.array(orderOfUpload),
  /** How often labels of it were printed, the first time included. */
  prints: z.int(),
  /** What was said of the sheet, and stopped nothing: remarks by cause. */
  remarks: z.array(problemGroup),
});
export type LabelUploadView = z.output<typeof labelUpload>;

/** A sheet of which labels are being made, or could not be made while nobody looked. */
const openRequest = z.object({
  print_id: z.uuid(),
  filename: z.string(),
  asked_at: z.iso.datetime(),
  asked_by: z.string(),
  /** Why no labels were made; null while they are being made. */
  problem: z.string().nullable(),
});

export const listLabelUploads = endpoint({
  ...labelsCall,
  method: "GET",
  path: "/api/v1/labels/uploads",
  summary:
    "Sheets that became labels, the newest first, and those that are becoming labels, or did not and nobody knows yet",
  response: z.object({
    uploads: z.array(
      labelUpload.pick({ id: true, filename: true, label_count: true, made_at: true, made_by: true }),
    ),
    requests: z.array(openRequest),
  }),
});
export type LabelUploads = z.output<typeof listLabelUploads.response>;

/** A cell that keeps its row from becoming labels. */
const wrongCell = z.object({
  code: z.string(),
  text: z.string(),
  row: z.int(),
  /** "F7"; empty where the sheet has no such column. */
  cell: z.string(),
  field: z.string().nullable(),
  header: z.string().nullable(),
  /** What is in the cell; empty for a blank one. */
  value: z.string(),
});

/** A row as it would become labels; `fix`: not before its errors are corrected. */
const reviewRow = z.object({
  row: z.int(),
  po_number: z.string(),
  ship_to: z.string(),
  mark_for: z.string(),
  labels: z.int(),
  state: z.enum(["ready", "fix"]),
});
export type LabelReviewRow = z.output<typeof reviewRow>;

const labelReview = z.object({
  filename: z.string(),
  /** Labels that the good rows make. */
  label_count: z.int(),
  error_count: z.int(),
  /** The first errors, in the order of the sheet. */
  errors: z.array(wrongCell),
  /** What stops nothing: remarks by cause. */
  remarks: z.array(problemGroup),
  corrections: z.array(correctedCell),
  rows: z.array(reviewRow),
});
export type LabelReview = z.output<typeof labelReview>;

export const reviewLabels = endpoint({
  ...labelsCall,
  method: "POST",
  path: "/api/v1/labels/review",
  summary: "Everything that is to be said of a sheet before labels are made of it; keeps nothing",
  ...correctedFile,
  response: labelReview,
});

const uploadParams = z.object({ upload_id: z.uuid() });

export const readLabelUpload = endpoint({
  ...labelsCall,
  method: "GET",
  path: "/api/v1/labels/uploads/:upload_id",
  summary: "The labels of one upload by purchase order",
  params: uploadParams,
  response: labelUpload,
});

export const downloadProblemRows = endpoint({
  ...labelsCall,
  method: "POST",
  path: "/api/v1/labels/problem-rows",
  summary: "The rows of a sheet that have errors, with all of them, as a workbook to correct; keeps nothing",
  ...correctedFile,
  response: { mediaType: XLSX_MEDIA_TYPE },
});

export const { readColumns, listColumnChoices, chooseColumns, readDateOrder, chooseDateOrder } =
  sheetEndpoints({
    path: "/api/v1/labels",
    access: labelsAccess,
  });
