import { countModules, QUIET_MODULES } from "#formats/gs1/bar-code.ts";
import { decodeCode128 } from "#formats/gs1/decode.ts";
import {
  LABEL_SIZE,
  moduleMm,
  pointsToMm,
  RESOLUTIONS,
  toPoints,
  type Drawing,
  type DrawnLabel,
  type DrawnSymbol,
  type Resolution,
} from "#formats/label/drawing.ts";
import { writePdf } from "#formats/pdf/write-pdf.ts";
import type { Ctx } from "#platform/ctx.ts";
import { findBuiltIn } from "#features/labels/layout/rules-profiles.ts";
import { requireUpload } from "#features/labels/ledger/find-upload.ts";
import type { LabelUpload, UploadId } from "#features/labels/ledger/store.ts";
import { createDrawer, readCartons } from "#features/labels/print/render-labels.ts";
import { requireLabelSettings } from "#features/labels/settings/read-label-settings.ts";
import { readFontFile } from "#features/labels/print/read-fonts.ts";
import type { Verification } from "#features/labels/trail/contract.ts";
import { readPages } from "#features/labels/trail/read-sample.ts";

type Proven = Verification["symbols"][number];
type Fault = Verification["faults"][number];

/** Labels that are read back from their document, at even distances. */
const SAMPLED = 10;
const MAX_FAULTS = 100;

/**
 * Reads every bar code of an upload back from its code words, measures it, and reads some labels back from the bars of
 * their document. It says nothing of paper: how well a printer prints is measured there.
 */
export async function verifyLabels(ctx: Pick<Ctx, "db">, id: UploadId): Promise<Verification> {
  const upload = await requireUpload(ctx, id);
  const { resolution: name } = await requireLabelSettings(ctx, id.realmId);
  const resolution = RESOLUTIONS[name];
  const { draw } = createDrawer({ upload, resolution: name });
  const proven = new Map<string, Proven>();
  const faults: Fault[] = [];
  const sampled: Sampled[] = [];
  const isSampled = sampleOf(upload);
  let count = 0;
  const all = [{ first: 1, last: upload.labelCount }];
  for await (const carton of readCartons(ctx.db, { realmId: id.realmId, upload }, all)) {
    const label = draw(carton);
    for (const symbol of label.own.symbols) {
      count += 1;
      const checked = { symbol, data: readGs1(symbol), resolution };
      for (const fault of faultsOf(checked, { sscc: carton.sscc, drawing: label.own }))
        faults.push({ label: carton.seq, fault });
      addTo(proven, checked);
    }
    if (isSampled(carton.seq)) sampled.push({ seq: carton.seq, label });
  }
  const sample = await readBack(sampled, resolution);
  return {
    upload_id: upload.id,
    filename: upload.fileName,
    made_at: upload.madeAt.toISOString(),
    made_by: upload.madeBy,
    profile: (upload.printedBy ?? findBuiltIn(upload.profile)).name,
    resolution: name,
    module_mm: inMm(moduleMm(resolution)),
    module_dots: resolution.moduleDots,
    label_count: upload.labelCount,
    symbol_count: count,
    symbols: [...proven.values()],
    sample: sample.read,
    faults: [...faults, ...sample.faults].slice(0, MAX_FAULTS),
  };
}

function sampleOf({ labelCount }: LabelUpload): (seq: number) => boolean {
  const distance = Math.max(1, labelCount / SAMPLED);
  const places = new Set(
    Array.from({ length: Math.min(SAMPLED, labelCount) }, (_, at) => 1 + Math.floor(at * distance)),
  );
  return (seq) => places.has(seq);
}

type Sampled = { seq: number; label: DrawnLabel };

/** Reads labels back from the bars of the document that they are printed from. */
async function readBack(
  sampled: readonly Sampled[],
  resolution: Resolution,
): Promise<{ read: Verification["sample"]; faults: Fault[] }> {
  const sizes = { page: LABEL_SIZE, label: LABEL_SIZE };
  const placed = (async function* () {
    for (const { label } of sampled) yield [{ ...label, leftDots: 0, topDots: 0 }];
  })();
  const pieces: Buffer[] = [];
  for await (const piece of writePdf({
    title: "",
    resolution,
    ...sizes,
    pages: placed,
    fontFile: readFontFile,
  }))
    pieces.push(piece);
  const pages = readPages(Buffer.concat(pieces), LABEL_SIZE, resolution);
  const faults = sampled.flatMap(({ seq, label }, at): Fault[] => {
    const wanted = label.own.symbols.map((symbol) => readGs1(symbol) ?? "").toSorted();
    const found = pages[at]?.found.toSorted() ?? [];
    return wanted.join("\n") === found.join("\n")
      ? []
      : [{ label: seq, fault: "The bars of its document don't say what the label is for." }];
  });
  return {
    read: {
      labels: sampled.length,
      symbols: pages.reduce((sum, { found }) => sum + found.length, 0),
      lines: pages.reduce((sum, { lines }) => sum + lines, 0),
      max_error: Math.max(0, ...pages.map(({ error }) => error)),
    },
    faults,
  };
}

function readGs1({ words }: DrawnSymbol): string | null {
  const decoded = decodeCode128(words);
  return decoded?.kind === "gs1-128" ? decoded.data : null;
}

type Checked = { symbol: DrawnSymbol; data: string | null; resolution: Resolution };

/** Heights in millimeters that the bars of a number, and other bars, must have on the label. */
const LEAST_HEIGHTS = { sscc: 31.75, other: 12.7 };
const LEAST_MODULE_MM = 0.495;
/** Half a micrometer, as figures are rounded to one. */
const ROUNDING = 0.0005;

function faultsOf(
  { symbol, data, resolution }: Checked,
  { sscc, drawing }: { sscc: string; drawing: Drawing },
): string[] {
  if (data === null) return ["The code words are no GS1-128 symbol."];
  const isSscc = data.startsWith("00");
  const least = isSscc ? LEAST_HEIGHTS.sscc : LEAST_HEIGHTS.other;
  const { quiet, height } = measure(symbol, resolution);
  const module = moduleMm(resolution);
  return [
    ...(isSscc && data !== `00${sscc}` ? ["The barcode has another SSCC than the label."] : []),
    ...(isReadable(data, drawing) ? [] : [`${data} isn't what is printed below the bars.`]),
    ...(module < LEAST_MODULE_MM ? [`A module is ${inMm(module)} mm wide, less than GS1's 0.495 mm.`] : []),
    ...(height + ROUNDING < least ? [`The bars are ${height} mm high, less than ${least} mm.`] : []),
    ...(quiet + ROUNDING < QUIET_MODULES * module
      ? [`The light space beside the bars is ${quiet} mm, less than 10 modules.`]
      : []),
  ];
}

/** The same as is printed for people below the bars: "(00) 0 0614141 000000000 5". */
const isReadable = (data: string, { texts }: Drawing): boolean =>
  texts.some(
    ({ text }) => /^\(\d{2,4}\) /.test(text) && text.replace(/^\((\d+)\)/, "$1").replaceAll(" ", "") === data,
  );

/** To the micrometer. */
const inMm = (mm: number) => Math.round(mm * 1000) / 1000;

function measure(symbol: DrawnSymbol, resolution: Resolution) {
  const width = inMm(countModules(symbol) * moduleMm(resolution));
  const left = pointsToMm(toPoints(symbol.leftDots, resolution));
  const quiet = inMm(Math.min(left, pointsToMm(LABEL_SIZE.width) - left - width));
  return { width, quiet, height: inMm(pointsToMm(symbol.height)) };
}

const IDENTIFIERS = /^(?:00|4[012]\d|9\d|\d\d)/;

function addTo(proven: Map<string, Proven>, { symbol, data, resolution }: Checked): void {
  const identifier = IDENTIFIERS.exec(data ?? "")?.[0] ?? "";
  const { width, quiet, height } = measure(symbol, resolution);
  const found: Proven = proven.get(identifier) ?? {
    identifier,
    count: 0,
    example: data ?? "",
    code_words: [...symbol.words],
    min_width_mm: width,
    max_width_mm: width,
    min_height_mm: height,
    min_quiet_zone_mm: quiet,
  };
  found.count += 1;
  found.min_width_mm = Math.min(found.min_width_mm, width);
  found.max_width_mm = Math.max(found.max_width_mm, width);
  found.min_height_mm = Math.min(found.min_height_mm, height);
  found.min_quiet_zone_mm = Math.min(found.min_quiet_zone_mm, quiet);
  proven.set(identifier, found);
}
