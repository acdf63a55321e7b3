import { styled } from "@mui/material/styles";
import Box from "@mui/material/Box";
import type { ReactNode } from "react";

/** Secondary actions in a column between thin lines: buttons of variant `text`, each with its icon. */
export const ActionList = styled("div")(({ theme }) => ({
  display: "flex",
  flexDirection: "column",
  "& > *": { borderBottom: `1px solid ${(theme.vars ?? theme).palette.divider}` },
  "& > *:last-child": { borderBottom: 0 },
  "& .MuiButton-root": {
    justifyContent: "flex-start",
    width: "100%",
    minHeight: 44,
    paddingInline: 4,
    borderRadius: 0,
    color: (theme.vars ?? theme).palette.text.primary,
    fontWeight: 400,
  },
  "& .MuiButton-startIcon": {
    marginLeft: 0,
    marginRight: 12,
    color: (theme.vars ?? theme).palette.text.secondary,
  },
}));

const SEPARATOR = "0.9em";

/** Facts in a row. Each line that they wrap to begins and ends with a fact: the dot before its first one is cut off. */
export const Facts = styled("div")({
  display: "flex",
  flexWrap: "wrap",
  marginLeft: `-${SEPARATOR}`,
  // Room for the rings of focused links.
  clipPath: `inset(-8px -8px -8px ${SEPARATOR})`,
  overflowWrap: "anywhere",
  "& > *": { position: "relative", minWidth: 0, paddingLeft: SEPARATOR },
  "& > *::before": {
    content: ['"·"', '"·" / ""'],
    position: "absolute",
    left: 0,
    width: SEPARATOR,
    textAlign: "center",
  },
});

export const LIST = { m: 0, p: 0, listStyle: "none", outline: "none" };

type Props = { name: string; facts: readonly string[]; children?: ReactNode };

/** List row with name, facts and actions. */
export function ListRow({ name, facts, children }: Props) {
  return (
    <Box
      component="li"
      sx={{
        display: "flex",
        alignItems: "center",
        gap: 2,
        minHeight: 60,
        py: 1,
        borderBottom: 1,
        borderColor: "divider",
      }}
    >
      <Box sx={{ flex: 1, minWidth: 0, overflowWrap: "anywhere" }}>
        <b>{name}</b>
        {facts.length > 0 ? (
          <Box sx={{ typography: "caption", color: "text.caption" }}>
            <Facts>
              {facts.map((fact) => (
                <span key={fact}>{fact}</span>
              ))}
            </Facts>
          </Box>
        ) : null}
      </Box>
      {children}
    </Box>
  );
}
