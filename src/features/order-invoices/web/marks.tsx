import type { Mark } from "#features/order-invoices/contract.ts";
import { threadWords as words } from "#features/order-invoices/web/words.ts";
import Box from "@mui/material/Box";
import type { Theme } from "@mui/material/styles";
import { memo } from "react";

const picture = (shape: string) =>
  `url("data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 18 18'><path fill-rule='evenodd' d='${shape}'/></svg>") center / 18px no-repeat`;
const SQUARE = "M4 1h10a3 3 0 0 1 3 3v10a3 3 0 0 1-3 3H4a3 3 0 0 1-3-3V4a3 3 0 0 1 3-3z";
/** Shapes of 16 in 18 px, with their signs cut out. */
const PICTURES = {
  done: picture("M9 1a8 8 0 1 0 0 16A8 8 0 0 0 9 1zM5 9.2l1.1-1.1 1.9 1.9 4-4 1.1 1.1L8 12.2z"),
  differs: picture(`${SQUARE}M5.5 6.75h7v1.5h-7zM5.5 9.75h7v1.5h-7z`),
  refused: picture(
    `${SQUARE}M9 7.94l2.5-2.5 1.06 1.06-2.5 2.5 2.5 2.5-1.06 1.06-2.5-2.5-2.5 2.5-1.06-1.06 2.5-2.5-2.5-2.5 1.06-1.06z`,
  ),
} as const;

/**
 * Shapes and colors of all marks in a part of a page. A mark is one element without content: a style, or a picture's
 * elements, for each of hundreds would cost a slow computer half a second.
 */
export function marksLook(theme: Theme) {
  const { palette } = theme.vars ?? theme;
  const pictured = (mark: keyof typeof PICTURES, backgroundColor: string) => ({
    [`& [data-mark=${mark}]::after`]: {
      width: 18,
      height: 18,
      borderRadius: 0,
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
      width: 16,
      height: 16,
      borderRadius: "50%",
    },
    ...pictured("done", palette.line.control),
    ...pictured("differs", palette.status.amber.ink),
    ...pictured("refused", palette.status.red.ink),
    "& [data-mark=next]::after": { border: `2px solid ${palette.text.primary}` },
    "& [data-mark=waiting]::after": { border: `1px solid ${palette.line.control}` },
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
        borderTop: `1px solid ${palette.divider}`,
      },
      "& > [data-mark=done] + :not([data-mark=waiting])::before": { borderColor: palette.line.control },
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
          color: "text.secondary",
          "& > span > span::first-letter": { textTransform: "uppercase" },
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
