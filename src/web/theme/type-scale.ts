/**
 * Sizes of all text except headings, by purpose. Line heights are ratios of rem sizes, so that enlarged text
 * keeps its spacing.
 */
export const typeScale = {
  /** Number in the summary band. */
  figure: { fontSize: "1.375rem", lineHeight: 28 / 22, fontWeight: 900, letterSpacing: "-0.01em" },
  /** Label of the main orange action. */
  action: { fontSize: "1.1875rem", lineHeight: 24 / 19, fontWeight: 700 },
  /** Introductory text, and names of things. */
  lead: { fontSize: "1.0625rem", lineHeight: 24 / 17, fontWeight: 700 },
  body: { fontSize: "0.9375rem", lineHeight: 1.6 },
  /** Tables and dense controls. */
  table: { fontSize: "0.875rem", lineHeight: 20 / 14 },
  /** Captions and table headers. */
  caption: { fontSize: "0.8125rem", lineHeight: 20 / 13 },
} as const;

/** Corner radii in px: of a chip, a control, and a panel. */
export const radii = { chip: 4, control: 6, panel: 8 } as const;

/** Shadow of layers above the page: a menu, a label's paper, the landing picture. Nothing else has one. */
export const shadow = {
  light: "0 1px 2px rgb(33 33 33 / 6%), 0 8px 24px rgb(33 33 33 / 10%)",
  dark: "0 0 0 1px #2f2d2c, 0 12px 32px rgb(0 0 0 / 50%)",
} as const;

/** `fast` for color changes, `slow` for opening and progress. */
export const motion = { fast: "120ms ease-out", slow: "180ms ease-out" } as const;

const heading = (fontSize: string) => ({
  fontSize,
  fontWeight: 800,
  lineHeight: 1.25,
  letterSpacing: "-0.012em",
});
const quietHeading = (fontSize: string) => ({ fontSize, fontStyle: "italic", fontWeight: 400 });

/** Specified style of each heading level. */
export const headings = {
  h1: heading("2rem"),
  h2: heading("1.8rem"),
  h3: heading("1.6rem"),
  h4: heading("1.4rem"),
  h5: quietHeading("1.2rem"),
  h6: quietHeading("1rem"),
};
