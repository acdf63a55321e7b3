import type { Mark } from "#features/order-invoices/contract.ts";
import { threadWords as words } from "#features/order-invoices/web/words.ts";
import { Icon } from "#web/kit/icon.tsx";
import Box from "@mui/material/Box";
import type { Theme } from "@mui/material/styles";
import { Check, Equal, type LucideIcon, X } from "lucide-react";
import { memo } from "react";

/** Shapes and colors of all marks in a part of a page: a style for each of hundreds would cost a slow computer half a second. */
export function marksLook(theme: Theme) {
  const { palette } = theme.vars ?? theme;
  const full = { borderRadius: 3, color: palette.background.default, forcedColorAdjust: "none" } as const;
  return {
    "& [data-mark]": {
      position: "relative",
      zIndex: 1,
      display: "grid",
      placeItems: "center",
      flex: "none",
      boxSizing: "border-box",
      width: 18,
      height: 18,
      borderRadius: "50%",
      backgroundColor: palette.background.default,
      "& > svg": { strokeWidth: 3 },
    },
    "& [data-mark=done]": { color: palette.text.secondary },
    "& [data-mark=next]": { border: `3px solid ${palette.text.primary}` },
    "& [data-mark=waiting]": { border: `2px solid ${palette.line.strong}` },
    "& [data-mark=differs]": { ...full, backgroundColor: palette.status.amber.ink },
    "& [data-mark=refused]": { ...full, backgroundColor: palette.status.red.ink },
    // As wide as the heads above them.
    "& .steps": {
      display: "grid",
      gridTemplateColumns: "repeat(7, minmax(0, 1fr))",
      justifyItems: "center",
      textAlign: "center",
      [theme.breakpoints.down("lg")]: { gridTemplateColumns: "repeat(7, 34px)" },
      "& > span": { position: "relative", display: "grid", placeItems: "center", width: "100%" },
      "& > [data-line]::before": {
        content: '""',
        position: "absolute",
        top: "calc(50% - 1px)",
        right: "50%",
        width: "100%",
        borderTop: `2px solid ${palette.divider}`,
      },
      "& > [data-line=dark]::before": { borderColor: palette.text.secondary },
    },
  } as const;
}

const ICONS: Partial<Record<Mark, LucideIcon>> = { done: Check, differs: Equal, refused: X };

/** Shape and color of a mark: the words are for those who see neither. It takes its look from `marksLook`. */
export function MarkIcon({ mark, title }: { mark: Mark; title?: string }) {
  const icon = ICONS[mark];
  return (
    <i data-mark={mark} aria-hidden="true" title={title}>
      {icon ? <Icon of={icon} size={mark === "done" ? 16 : 12} /> : null}
    </i>
  );
}

/** How far an order is: the line is dark as far as it has come. */
export const Marks = memo(function Marks({ marks }: { marks: readonly Mark[] }) {
  const said = marks.map((mark, at) => `${words.steps[at]} ${words.marks[mark]}`);
  return (
    <span className="steps" role="img" aria-label={said.join(", ")}>
      {words.steps.map((step, at) => {
        const mark = marks[at] ?? "waiting";
        const isReached = mark !== "waiting" && marks[at - 1] === "done";
        return (
          <span key={step} {...(at === 0 ? {} : { "data-line": isReached ? "dark" : "pale" })}>
            <MarkIcon mark={mark} title={`${step}: ${words.marks[mark]}`} />
          </span>
        );
      })}
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
