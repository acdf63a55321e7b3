import type { Mark } from "#features/order-invoices/contract.ts";
import { threadWords as words } from "#features/order-invoices/web/words.ts";
import { Icon } from "#web/kit/icon.tsx";
import Box from "@mui/material/Box";
import { styled } from "@mui/material/styles";
import { Check, Equal, type LucideIcon, X } from "lucide-react";

/** Shape and color of a mark: the words are for those who see neither. */
export const MarkShape = styled("i")(({ theme }) => {
  const { palette } = theme.vars ?? theme;
  return {
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
    "&[data-mark=done]": { color: palette.text.secondary },
    "&[data-mark=next]": { border: `3px solid ${palette.text.primary}` },
    "&[data-mark=waiting]": { border: `2px solid ${palette.line.strong}` },
    "&[data-mark=differs]": {
      borderRadius: 3,
      color: palette.background.default,
      backgroundColor: palette.status.amber.ink,
      forcedColorAdjust: "none",
    },
    "&[data-mark=refused]": {
      borderRadius: 3,
      color: palette.background.default,
      backgroundColor: palette.status.red.ink,
      forcedColorAdjust: "none",
    },
  };
});

const ICONS: Partial<Record<Mark, LucideIcon>> = { done: Check, differs: Equal, refused: X };

export function MarkOf({ mark, title }: { mark: Mark; title?: string }) {
  const icon = ICONS[mark];
  return (
    <MarkShape data-mark={mark} aria-hidden="true" title={title}>
      {icon ? <Icon of={icon} size={mark === "done" ? 16 : 12} /> : null}
    </MarkShape>
  );
}

/** As wide as the heads above them. */
export const Seven = styled("span")(({ theme }) => ({
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
    borderTop: `2px solid ${(theme.vars ?? theme).palette.divider}`,
  },
  "& > [data-line=dark]::before": { borderColor: (theme.vars ?? theme).palette.text.secondary },
}));

/** How far an order is: the line is dark as far as it has come. */
export function Marks({ marks }: { marks: readonly Mark[] }) {
  const said = marks.map((mark, at) => `${words.steps[at]} ${words.marks[mark]}`);
  return (
    <Seven role="img" aria-label={said.join(", ")}>
      {words.steps.map((step, at) => {
        const mark = marks[at] ?? "waiting";
        const isReached = mark !== "waiting" && marks[at - 1] === "done";
        return (
          <span key={step} {...(at === 0 ? {} : { "data-line": isReached ? "dark" : "pale" })}>
            <MarkOf mark={mark} title={`${step}: ${words.marks[mark]}`} />
          </span>
        );
      })}
    </Seven>
  );
}

/** Names the shapes; each mark has its words for screen readers. */
export function Legend() {
  return (
    <Box
      aria-hidden="true"
      component="p"
      sx={{
        display: "flex",
        flexWrap: "wrap",
        gap: 2,
        my: 1.5,
        typography: "caption",
        color: "text.caption",
      }}
    >
      {(["done", "next", "waiting", "differs", "refused"] as const).map((mark) => (
        <Box key={mark} component="span" sx={{ display: "flex", alignItems: "center", gap: 0.75 }}>
          <MarkOf mark={mark} /> <span>{words.marks[mark]}</span>
        </Box>
      ))}
    </Box>
  );
}
