import { theme } from "#web/theme/theme.ts";
import { grid, span } from "#web/theme/grid.ts";
import { darkPalette, lightPalette } from "#web/theme/colors.ts";
import { expect, test } from "vitest";

test("TH-01 TH-02 TH-03 TH-04 the primary color is the specified orange with white text", () => {
  expect(theme.palette.primary).toMatchObject({
    light: "#f37a30",
    main: "#f2682c",
    dark: "rgba(242, 104, 44, 0.5)",
    contrastText: "#fff",
  });
});

test("TH-05 the secondary color is the specified green", () => {
  expect(theme.palette.secondary).toMatchObject({ main: "#198754", dark: "#13653f", contrastText: "#fff" });
});

test("TH-06 there is a gray cancel color for buttons", () => {
  expect(theme.palette.cancel).toMatchObject({
    light: "#616161",
    main: "#424242",
    dark: "#212121",
    contrastText: "#fff",
  });
});

test("TH-07 TH-08 TH-09 TH-10 TH-11 TH-12 TH-13 TH-14 fonts and headings are the specified ones", () => {
  const { fontFamily, h1, h2, h3, h4, h5, h6 } = theme.typography;
  expect(fontFamily).toBe("Lato, Roboto, Helvetica, Arial, sans-serif");
  expect([h1, h2, h3, h4, h5, h6].map(({ fontSize }) => fontSize)).toEqual([
    "2rem",
    "1.8rem",
    "1.6rem",
    "1.4rem",
    "1.2rem",
    "1rem",
  ]);
  expect([h1, h2, h3, h4].map(({ fontWeight }) => fontWeight)).toEqual([800, 800, 800, 800]);
  expect([h5, h6].map(({ fontStyle }) => fontStyle)).toEqual(["italic", "italic"]);
});

test("TH-15 the breakpoints are 0, 600, 900, 1200 and 1536 px", () => {
  expect(theme.breakpoints.values).toEqual({ xs: 0, sm: 600, md: 900, lg: 1200, xl: 1536 });
});

test("TH-16 the grid has 12 equal columns, and a part spans all of them until a breakpoint gives it fewer", () => {
  expect(grid).toMatchObject({ display: "grid", gridTemplateColumns: "repeat(12, minmax(0, 1fr))" });
  expect(span()).toEqual({ gridColumn: { xs: "span 12" } });
  expect(span({ sm: 6, lg: 4 })).toEqual({ gridColumn: { xs: "span 12", sm: "span 6", lg: "span 4" } });
});

test("SC-202 text on each status color has at least 7:1 in light and 9:1 in dark", () => {
  const ratios = (palette: typeof lightPalette) =>
    Object.values(palette.status).map(({ fill, text }) => contrast(fill, text));
  expect(Math.min(...ratios(lightPalette))).toBeGreaterThanOrEqual(7);
  expect(Math.min(...ratios(darkPalette))).toBeGreaterThanOrEqual(9);
});

test("TH-17 TH-18 orange hover and press carry their labels, and orange ink is dark enough for text", () => {
  for (const { primary, background } of [lightPalette, darkPalette]) {
    expect(contrast(primary.ink, background.default)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(primary.hover, primary.contrastText)).toBeGreaterThanOrEqual(3);
    expect(contrast(primary.press, primary.contrastText)).toBeGreaterThanOrEqual(4.5);
  }
});

test.each([
  ["light", lightPalette],
  ["dark", darkPalette],
])(
  "TH-18 in the %s scheme the inks are readable on the page, on cards and on the rows that may have links",
  (_, palette) => {
    const { background, status } = palette;
    for (const ink of [palette.primary.ink, palette.secondary.ink])
      for (const ground of Object.values(background))
        expect(contrast(ink, ground), `${ink} on ${ground}`).toBeGreaterThanOrEqual(4.5);
    for (const { fill, tint } of [status.gray, status.amber, status.blue])
      for (const ground of [fill, tint])
        expect(contrast(palette.primary.ink, ground), `on ${ground}`).toBeGreaterThanOrEqual(4.6);
  },
);

test.each([
  ["light", lightPalette],
  ["dark", darkPalette],
])(
  "in the %s scheme texts, tints, rules and borders have the contrast that WCAG requires of each",
  (_, palette) => {
    const { background, status, text, line } = palette;
    for (const { tint, ink, rule } of Object.values(status)) {
      for (const color of [ink, text.primary, text.secondary, text.caption])
        expect(contrast(color, tint), `${color} on ${tint}`).toBeGreaterThanOrEqual(4.5);
      expect(contrast(rule, background.default), `${rule}, a rule`).toBeGreaterThanOrEqual(3);
    }
    for (const ground of Object.values(background)) {
      for (const color of Object.values(text))
        expect(contrast(color, ground), `${color} on ${ground}`).toBeGreaterThanOrEqual(4.5);
      expect(contrast(line.control, ground), `border on ${ground}`).toBeGreaterThanOrEqual(3);
    }
  },
);

/** Contrast ratio of two colors, by the WCAG formula. */
function contrast(a: string, b: string): number {
  const [high = 0, low = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

function luminance(color: string): number {
  const hex =
    color.length === 4 ? [...color].map((digit) => (digit === "#" ? "#" : digit + digit)).join("") : color;
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
