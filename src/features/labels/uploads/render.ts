import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { RESOLUTIONS, type DrawnLabel, type ResolutionName } from "#formats/label/drawing.ts";
import { writePdf } from "#formats/pdf/write-pdf.ts";
import { createZpl } from "#formats/zpl/write-zpl.ts";
import type { Paper, PrintFormat, PrintOrder } from "#features/labels/contract.ts";
import { createLayout } from "#features/labels/layout/draw.ts";
import {
  drawSeparator,
  fillPages,
  PAGES,
  type LabelInOrder,
  type Group,
} from "#features/labels/layout/pages.ts";
import { readFontFile } from "#platform/fonts.ts";
import type { LabelUpload, NumberedCarton } from "#features/labels/types.ts";

/** A label that does not fit on a quarter of a Letter sheet. */
export class LabelTooHigh extends Error {
  override name = "LabelTooHigh";
  readonly code = "label_too_high";
  readonly params: { seq: number; zone: string; overMm: number };

  constructor(params: { seq: number; zone: string; overMm: number }) {
    super(`Label ${params.seq} is too high for its paper.`);
    this.params = params;
  }
}

/** Settings of a document; its labels come in the order of their places, as lines of JSON lists. */
export type DocumentForm = {
  format: PrintFormat;
  paper: Paper;
  order: PrintOrder;
  separators: boolean;
  resolution: ResolutionName;
  upload: Pick<LabelUpload, "id" | "fileName" | "profile" | "shipFroms">;
};

/** Draws labels of an upload at the height they have on the chosen paper. */
export function createDrawer({
  upload,
  resolution,
  paper,
}: Pick<DocumentForm, "upload" | "resolution" | "paper">) {
  const layout = createLayout(upload.profile, RESOLUTIONS[resolution], PAGES[paper].label.height);
  const findFrom = (code: string) => {
    const from = upload.shipFroms[code] ?? upload.shipFroms[""];
    if (!from) throw new Error(`Upload ${upload.id} has no ship-from address.`);
    return from;
  };
  return (carton: NumberedCarton): DrawnLabel => {
    const from = findFrom(carton.row.shipFrom);
    // Labels on rolls or half sheets were checked when the sheet was read.
    const [fault] = paper === "letter-4" ? layout.findTextFaults(carton, from) : [];
    if (fault) throw new LabelTooHigh({ seq: carton.seq, zone: fault.letter, overMm: fault.overMm });
    return layout.draw(carton, { from, prefix: carton.prefix });
  };
}

/** Writes a document in chunks. @param lines as described in `DocumentForm` */
export async function* renderDocument(
  lines: Uint8Array,
  form: DocumentForm,
): AsyncGenerator<Buffer | string> {
  const { format, upload } = form;
  const paper = format === "zpl" ? "roll" : form.paper;
  const resolution = RESOLUTIONS[form.resolution];
  const draw = createDrawer({ ...form, paper });
  const labels = async function* (): AsyncGenerator<LabelInOrder> {
    for (const part of arrangeLabels(parseLines(lines), form)) {
      if ("kind" in part) yield drawSeparator(part, upload.fileName);
      else {
        const label = { ...draw(part), isFirst: false };
        for (let copy = 0; copy < upload.profile.copies; copy += 1) yield label;
      }
    }
  };
  const page = PAGES[paper];
  if (format === "zpl") {
    const write = createZpl({ resolution, label: page.label });
    for await (const label of labels()) yield write(label);
    return;
  }
  const pages = fillPages(labels(), page, resolution);
  const { page: size, label } = page;
  yield* writePdf({ title: upload.fileName, resolution, page: size, label, pages, fontFile: readFontFile });
}

/** Writes a document to a file. Runs in a worker thread. */
export async function run(
  bytes: Uint8Array,
  { path, ...form }: DocumentForm & { path: string },
): Promise<void> {
  await pipeline(
    Readable.from(renderDocument(bytes, form)),
    createWriteStream(path, { flags: "wx", mode: 0o600 }),
  );
}

function* parseLines(bytes: Uint8Array): Generator<NumberedCarton> {
  const decoder = new TextDecoder();
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(10, at);
    yield* JSON.parse(decoder.decode(bytes.subarray(at, end))) as NumberedCarton[];
    at = end + 1;
  }
}

/** Sorts numbers naturally: PO 9 before PO 10. */
const { compare } = new Intl.Collator("en", { numeric: true });

/** Puts labels in their printing order, and on request the group of an order or store in front of its labels. */
function* arrangeLabels(
  labels: Iterable<NumberedCarton>,
  { order, separators }: { order: PrintOrder; separators: boolean },
): Generator<NumberedCarton | Group> {
  if (order === "file" && !separators) return yield* labels;
  const kind = order === "store" ? "store" : "po";
  const groupValue = ({ row }: NumberedCarton) => (kind === "store" ? row.markFor : row.poNumber);
  const sorted = [...labels];
  if (order !== "file") sorted.sort((a, b) => compare(groupValue(a), groupValue(b)) || a.seq - b.seq);
  for (let at = 0; at < sorted.length;) {
    const value = groupValue(sorted[at] as NumberedCarton);
    let end = at + 1;
    while (end < sorted.length && groupValue(sorted[end] as NumberedCarton) === value) end += 1;
    if (separators) yield { kind, value, count: end - at };
    yield* sorted.slice(at, end);
    at = end;
  }
}
