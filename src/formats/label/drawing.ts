import type { BarCode } from "../gs1/bar-code.ts";

/**
 * Resolution of a printer, and the dots per barcode module: only one number gives a width that GS1 allows.
 */
export type Resolution = { dotsPerInch: number; moduleDots: number };

/** Printers by resolution name. Those called 203 have 8 dots per millimeter. */
export const RESOLUTIONS = {
  "203": { dotsPerInch: 203.2, moduleDots: 4 },
  "300": { dotsPerInch: 300, moduleDots: 6 },
  "600": { dotsPerInch: 600, moduleDots: 12 },
} as const satisfies Record<string, Resolution>;
export type ResolutionName = keyof typeof RESOLUTIONS;

export const POINTS_PER_INCH = 72;
const MM_PER_INCH = 25.4;

export const moduleMm = ({ dotsPerInch, moduleDots }: Resolution): number =>
  (moduleDots / dotsPerInch) * MM_PER_INCH;
export const modulePoints = ({ dotsPerInch, moduleDots }: Resolution): number =>
  (moduleDots / dotsPerInch) * POINTS_PER_INCH;
export const toDots = (points: number, { dotsPerInch }: Resolution): number =>
  Math.round((points / POINTS_PER_INCH) * dotsPerInch);
export const toPoints = (dots: number, { dotsPerInch }: Resolution): number =>
  (dots / dotsPerInch) * POINTS_PER_INCH;
export const pointsToMm = (points: number): number => (points / POINTS_PER_INCH) * MM_PER_INCH;

/**
 * A line of text. `x` is its left end, middle or right end; `y` its baseline; `stretch` its horizontal scale,
 * 1 for the font's own.
 */
export type DrawnText = {
  text: string;
  x: number;
  y: number;
  size: number;
  isBold: boolean;
  align: "left" | "center" | "right";
  stretch: number;
};

export type DrawnRule = { x: number; y: number; width: number; height: number };

/** A barcode whose left edge and widths are whole printer dots. */
export type DrawnSymbol = BarCode & { leftDots: number; y: number; height: number };

/** Pixels row by row from the top, as indices of a palette of RGB triples. */
export type Picture = { width: number; height: number; pixels: Uint8Array; palette: Uint8Array };

export type DrawnPicture = { picture: Picture; x: number; y: number; width: number; height: number };

/** Marks of one label, in points from its top left corner; all but pictures are black. */
export type Drawing = {
  texts: readonly DrawnText[];
  rules: readonly DrawnRule[];
  symbols: readonly DrawnSymbol[];
  /** Only in PDF, and only in a drawing that is not shared. */
  pictures?: readonly DrawnPicture[];
};

/** A label: the marks it shares with others, as one shared object, and its own. */
export type DrawnLabel = { common: Drawing; own: Drawing };

/** Size of a 4 × 6 inch label. */
export const LABEL_SIZE = { width: 288, height: 432 } as const;
