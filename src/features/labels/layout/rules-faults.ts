import { countModules } from "#formats/gs1/bar-code.ts";
import { moduleMm, LABEL_SIZE, pointsToMm, RESOLUTIONS } from "#formats/label/drawing.ts";
import { unprintableIn } from "#formats/label/measure-text.ts";
import { ZONES } from "#features/labels/profiles/contract.ts";
import { isField, partsOf } from "#features/labels/layout/rules-content.ts";
import type { Band, Profile, Zone, ZoneLine } from "#features/labels/layout/rules-profiles.ts";
import { symbolWidth } from "#features/labels/layout/rules-symbols.ts";
import {
  bandsOf,
  heightsOf,
  leastHeightOf,
  needOf,
  roomOf,
  takenBy,
  VARIANTS,
} from "#features/labels/layout/rules-zones.ts";
import { labelSheet } from "#features/labels/sheet/rules-sheet.ts";

/** Why labels cannot be printed by a profile; `zone` is where, "" for the profile itself. */
export type ProfileFault = {
  code:
    | "zone_order"
    | "band_width"
    | "no_rest"
    | "too_high"
    | "sscc_place"
    | "symbol_low"
    | "symbol_room"
    | "symbol_wide"
    | "symbol_lines"
    | "identifier"
    | "unknown_field"
    | "unknown_column"
    | "line_room"
    | "not_printable";
  zone: string;
  params: Readonly<Record<string, string | number>>;
};

/** GS1 asks for 31.75 mm of an SSCC; US retailers for half an inch of all others. */
const LEAST_SSCC_MM = 31.75;
const LEAST_SYMBOL_MM = 12.7;
/** An SSCC: 20 digits in pairs, start, FNC1, check and stop. */
const SSCC_MODULES = countModules({ symbology: "code128", words: Array.from({ length: 14 }, () => 0) });
const WIDEST_MODULE_MM = Math.max(...Object.values(RESOLUTIONS).map(moduleMm));

/** Few labels fill all lines of a zone; one that does, and has no room for them, is refused with its row. */
const LEAST_SHARE = 0.75;

/** Everything that keeps labels from being printed by a profile. */
export function findProfileFaults(profile: Profile): ProfileFault[] {
  const printed = profile.bands.filter(({ off }) => !off);
  const unknown = profile.required.find((column) => !labelSheet.names.includes(column));
  return [
    ...(unknown === undefined ? [] : [fault("unknown_column", "", { column: unknown })]),
    ...ssccFaults(profile.bands),
    ...printed.flatMap((band) => [
      ...widthFaults(band),
      ...band.zones.flatMap((zone) => zoneFaults(zone, profile)),
    ]),
    ...heightFaults(profile.bands),
  ];
}

const fault = (
  code: ProfileFault["code"],
  zone: string,
  params: ProfileFault["params"] = {},
): ProfileFault => ({ code, zone, params });

const lettersOf = (zones: readonly Zone[]): string =>
  [...new Set(zones.map(({ letter }) => letter))].join(" and ");

/** The carton's number is on every label once, below everything else. */
function ssccFaults(bands: readonly Band[]): ProfileFault[] {
  const holding = bands.filter(({ zones }) => zones.some(({ symbol }) => symbol?.of === "sscc"));
  const [only] = holding;
  const count = only?.zones.filter(({ symbol }) => symbol?.of === "sscc").length ?? 0;
  const isGood =
    holding.length === 1 && count === 1 && only === bands.at(-1) && !only?.off && only?.when === undefined;
  return isGood ? [] : [fault("sscc_place", "I")];
}

function widthFaults({ zones }: Band): ProfileFault[] {
  const width = zones.reduce((sum, zone) => sum + zone.width, 0);
  return Math.abs(width - LABEL_SIZE.width) < 0.01 ? [] : [fault("band_width", lettersOf(zones), { width })];
}

function zoneFaults(zone: Zone, { quietMm }: Profile): ProfileFault[] {
  const { letter, lines = [], title, symbol } = zone;
  return [
    ...lines.flatMap((line) => lineFaults(line, letter)),
    ...printableFaults(title, letter),
    ...(symbol
      ? symbolFaults({ symbol, width: zone.width, hasLines: lines.length > 0 }, letter, quietMm)
      : []),
  ];
}

function lineFaults({ caption = "", text }: ZoneLine, letter: string): ProfileFault[] {
  const fields = partsOf(text).map(({ field }) => field);
  const unknown = fields.find((field) => field !== "" && !isField(field));
  const isClosed = /^(?:[^{}]|\{[^{}]*\})*$/.test(text);
  return [
    ...(unknown === undefined && isClosed
      ? []
      : [fault("unknown_field", letter, { field: unknown ?? text })]),
    ...printableFaults(`${caption}${text}`, letter),
  ];
}

function printableFaults(text: string, letter: string): ProfileFault[] {
  const character = unprintableIn(text);
  return character === undefined ? [] : [fault("not_printable", letter, { character })];
}

type PlacedSymbol = { symbol: NonNullable<Zone["symbol"]>; width: number; hasLines: boolean };

function symbolFaults(
  { symbol, width, hasLines }: PlacedSymbol,
  letter: string,
  quietMm: number,
): ProfileFault[] {
  const { of, ai, height } = symbol;
  const least = of === "sscc" ? LEAST_SSCC_MM : LEAST_SYMBOL_MM;
  const faults: ProfileFault[] = hasLines ? [fault("symbol_lines", letter)] : [];
  if (pointsToMm(height) < least)
    faults.push(fault("symbol_low", letter, { heightMm: pointsToMm(height), leastMm: least }));
  if (ai !== undefined && !identifierFits(of, ai)) faults.push(fault("identifier", letter, { ai }));
  const widthMm = symbolWidth(SSCC_MODULES, { moduleMm: WIDEST_MODULE_MM, quietMm });
  if (of === "sscc" && widthMm > pointsToMm(width))
    faults.push(fault("symbol_wide", letter, { widthMm, roomMm: pointsToMm(width) }));
  return faults;
}

/** Numbers that partners agree on may be in one of their own identifiers; else each is in GS1's. */
const FITTING: Partial<Record<PlacedSymbol["symbol"]["of"], RegExp>> = {
  markFor: /^(?:410|413|9\d)$/,
  poNumber: /^(?:400|9\d)$/,
  bol: /^(?:402|9\d)$/,
};

const identifierFits = (of: PlacedSymbol["symbol"]["of"], ai: string): boolean =>
  FITTING[of]?.test(ai) ?? false;

/** Each kind of label has its zones in order, and room for what is in them. */
function heightFaults(bands: readonly Band[]): ProfileFault[] {
  const kinds = VARIANTS.map((has) => bandsOf(bands, has));
  const lettersIn = (shown: readonly Band[]) =>
    shown.flatMap(({ zones }) => zones.map(({ letter }) => ZONES.indexOf(letter)));
  if (kinds.map(lettersIn).some((letters) => letters.some((letter, at) => letter < (letters[at - 1] ?? 0))))
    return [fault("zone_order", "")];
  if (kinds.some((shown) => shown.filter(({ height }) => height === "rest").length !== 1))
    return [fault("no_rest", "")];
  const over = Math.max(...kinds.map(takenBy)) - LABEL_SIZE.height;
  if (over > 0) return [fault("too_high", "", { overMm: pointsToMm(over) })];
  const faults = kinds.flatMap((shown) => {
    const heights = heightsOf(shown, LABEL_SIZE.height);
    return shown.flatMap((band, at) => roomFaults(band, heights[at] ?? 0));
  });
  // Kinds of labels share bands: each fault once.
  const known = new Set<string>();
  return faults.filter(({ code, zone }) => !known.has(`${code} ${zone}`) && known.add(`${code} ${zone}`));
}

function roomFaults(band: Band, height: number): ProfileFault[] {
  const zone = lettersOf(band.zones);
  const least = leastHeightOf(band);
  if (least > height + 0.01) return [fault("symbol_room", zone, { leastMm: pointsToMm(least) })];
  const tight = band.zones.find((each) => needOf(each) * LEAST_SHARE > roomOf(each, height));
  return tight
    ? [
        fault("line_room", tight.letter, {
          overMm: pointsToMm(needOf(tight) * LEAST_SHARE - roomOf(tight, height)),
        }),
      ]
    : [];
}
