import { checkWord, FNC1, modulesOf, PATTERNS, STOP } from "#formats/gs1/code128.ts";
import {
  moduleMm,
  pointsToMm,
  RESOLUTIONS,
  toPoints,
  LABEL_SIZE,
  type DrawnSymbol,
  type Resolution,
} from "#formats/label/drawing.ts";
import type { Ctx } from "#platform/ctx.ts";
import { requireUpload } from "#features/labels/ledger/find-upload.ts";
import type { UploadId } from "#features/labels/ledger/store.ts";
import { createDrawer, readCartons } from "#features/labels/print/render-labels.ts";
import { requireLabelSettings } from "#features/labels/settings/read-label-settings.ts";
import type { Verification } from "#features/labels/trail/contract.ts";

type Proven = Verification["symbols"][number];

/** Reads every bar code of an upload back from its code words, and says what each kind holds and measures. */
export async function verifyLabels(ctx: Pick<Ctx, "db">, id: UploadId): Promise<Verification> {
  const upload = await requireUpload(ctx, id);
  const { resolution: name } = await requireLabelSettings(ctx, id.realmId);
  const resolution = RESOLUTIONS[name];
  const { draw } = createDrawer({ upload, resolution: name });
  const proven = new Map<string, Proven>();
  const faults: Verification["faults"] = [];
  let count = 0;
  const all = [{ first: 1, last: upload.labelCount }];
  for await (const carton of readCartons(ctx.db, { realmId: id.realmId, upload, resolution: name }, all)) {
    for (const symbol of draw(carton).own.symbols) {
      count += 1;
      const data = dataOf(symbol.words);
      const fault = faultOf(symbol, { data, sscc: carton.sscc });
      if (fault) faults.push({ label: carton.seq, fault });
      addTo(proven, { symbol, data: data ?? "", resolution });
    }
  }
  return {
    upload_id: upload.id,
    filename: upload.fileName,
    profile: upload.profile,
    resolution: name,
    module_mm: inMm(moduleMm(resolution)),
    module_dots: resolution.moduleDots,
    label_count: upload.labelCount,
    symbol_count: count,
    symbols: [...proven.values()],
    faults: faults.slice(0, MAX_FAULTS),
  };
}

const MAX_FAULTS = 100;
const IDENTIFIERS = /^(?:00|4[012]\d|9\d|\d\d)/;

/** The characters of a GS1 symbol by its code words; null when it is none, or its check character is wrong. */
function dataOf(words: readonly number[]): string | null {
  if (words[1] !== FNC1 || words.at(-1) !== STOP || checkWord(words.slice(0, -2)) !== words.at(-2))
    return null;
  let isC = words[0] === 105;
  let data = "";
  for (const word of words.slice(2, -2)) {
    if (word === FNC1) data += "\u001D";
    else if (word === (isC ? 100 : 99)) isC = !isC;
    else data += isC ? String(word).padStart(2, "0") : String.fromCharCode(word + 32);
  }
  return data;
}

function faultOf(symbol: DrawnSymbol, { data, sscc }: { data: string | null; sscc: string }): string | null {
  if (data === null) return "The code words are no GS1-128 symbol.";
  if (symbol.words.some((word) => PATTERNS[word] === undefined)) return "A code word is unknown.";
  if (data.startsWith("00") && data !== `00${sscc}`) return "The bar code has another SSCC than the label.";
  return null;
}

/** To the micrometer. */
const inMm = (mm: number) => Math.round(mm * 1000) / 1000;

type Measured = { symbol: DrawnSymbol; data: string; resolution: Resolution };

function addTo(proven: Map<string, Proven>, { symbol, data, resolution }: Measured): void {
  const identifier = IDENTIFIERS.exec(data)?.[0] ?? "";
  const width = inMm(modulesOf(symbol.words) * moduleMm(resolution));
  const left = pointsToMm(toPoints(symbol.leftDots, resolution));
  const quiet = inMm(Math.min(left, pointsToMm(LABEL_SIZE.width) - left - width));
  const height = inMm(pointsToMm(symbol.height));
  const found: Proven = proven.get(identifier) ?? {
    identifier,
    count: 0,
    example: data,
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
