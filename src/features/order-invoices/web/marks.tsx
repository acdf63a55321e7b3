import type { Mark } from "#features/order-invoices/contract.ts";
import { threadWords as words } from "#features/order-invoices/web/words.ts";
import Box from "@mui/material/Box";
import type { Theme } from "@mui/material/styles";
import { memo } from "react";

const picture = (size: number, shape: string) =>
  `url("data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 ${size} ${size}'>${shape}</svg>") center / 18px no-repeat`;
const disc = (hole: string) =>
  picture(18, `<path fill-rule='evenodd' d='M9 0a9 9 0 1 0 0 18A9 9 0 0 0 9 0z${hole}'/>`);
const PICTURES = {
  // Within 16 of 18 px.
  done: picture(
    27,
    "<path d='M21.5 7.5l-11 11-5-5' fill='none' stroke='red' stroke-width='3' stroke-linecap='round' stroke-linejoin='round'/>",
  ),
  differs: disc("M5 6.75h8v1.5H5zM5 9.75h8v1.5H5z"),
  refused: disc("M9 7.94l3-3L13.06 6l-3 3 3 3L12 13.06l-3-3-3 3L4.94 12l3-3-3-3L6 4.94z"),
} as const;

/**
 * Shapes and colors of all marks in a part of a page. A mark is one element without content: a style, or a picture's
 * elements, for each of hundreds would cost a slow computer half a second.
 */
export function marksLook(theme: Theme) {
  const { palette } = theme.vars ?? theme;
  const pictured = (mark: keyof typeof PICTURES, backgroundColor: string) => ({
    [`& [data-mark=${mark}]::after`]: {
      mask: PICTURES[mark],
      backgroundColor,
      printColorAdjust: "exact",
      forcedColorAdjust: "none",
      "@media (forced-colors: active)": { backgroundColor: "CanvasText" },
    },
  });
  return {
    "& [data-mark]": { position: "relative", display: "grid", placeItems: "center", width: 18, height: 18 },
    "& [data-mark]::after": {
      content: '""',
      boxSizing: "border-box",
      width: 18,
      height: 18,
      borderRadius: "50%",
    },
    ...pictured("done", palette.text.secondary),
    ...pictured("differs", palette.status.amber.ink),
    ...pictured("refused", palette.status.red.ink),
    "& [data-mark=next]::after": { border: `3px solid ${palette.text.primary}` },
    "& [data-mark=waiting]::after": { border: `2px solid ${palette.line.strong}` },
    // As wide as the heads above them.
    "& .steps": {
      display: "grid",
      gridTemplateColumns: "repeat(7, minmax(0, 1fr))",
      textAlign: "center",
      [theme.breakpoints.down("lg")]: { gridTemplateColumns: "repeat(7, 34px)" },
      [theme.breakpoints.down("md")]: { gridTemplateColumns: "repeat(7, minmax(0, 1fr))" },
      "& > i": { width: "100%" },
      // From the mark before to this one.
      "& > i + i::before": {
        content: '""',
        position: "absolute",
        top: 8,
        right: "calc(50% + 9px)",
        width: "calc(100% - 18px)",
        borderTop: `2px solid ${palette.divider}`,
      },
      "& > [data-mark=done] + :not([data-mark=waiting])::before": { borderColor: palette.text.secondary },
    },
  } as const;
}

/** Shape and color of a mark: the words are for those who see neither. It takes its look from `marksLook`. */
export const MarkIcon = ({ mark, title }: { mark: Mark; title?: string }) => (
  <i data-mark={mark} aria-hidden="true" title={title} />
);

/** How far an order is: the line is dark as far as it has come. */
export const Marks = memo(function Marks({ marks }: { marks: readonly Mark[] }) {
  const said = marks.map((mark, at) => `${words.steps[at]} ${words.marks[mark]}`);
  return (
    <span className="steps" role="img" aria-label={said.join(", ")}>
      {marks.map((mark, at) => (
        <MarkIcon key={at} mark={mark} title={`${words.steps[at]}: ${words.marks[mark]}`} />
      ))}
    </span>
  );
});

/** Names the shapes; each mark has its words for screen readers. */
export function Legend() {
  return (
    <Box
      aria-hidden="true"
      component="p"
      sx={[
        marksLook,
        {
          display: "flex",
          flexWrap: "wrap",
          gap: 2,
          my: 1.5,
          typography: "caption",
          color: "text.caption",
        },
      ]}
    >
      {(["done", "next", "waiting", "differs", "refused"] as const).map((mark) => (
        <Box key={mark} component="span" sx={{ display: "flex", alignItems: "center", gap: 0.75 }}>
          <MarkIcon mark={mark} /> <span>{words.marks[mark]}</span>
        </Box>
      ))}
    </Box>
  );
}
