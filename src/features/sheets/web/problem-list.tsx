import type { ProblemGroup } from "#features/sheets/contract.ts";
import { wrongWords as words } from "#features/sheets/web/words.ts";
import type { Tone } from "#web/theme/colors.ts";
import { tonedRow } from "#web/theme/tone.ts";
import { styled } from "@mui/material/styles";

const List = styled("ul", { shouldForwardProp: (name) => name !== "tone" })<{ tone: Tone }>(
  ({ theme, tone }) => ({
    listStyle: "none",
    margin: "16px 0",
    padding: 0,
    "& > li": {
      display: "flex",
      flexWrap: "wrap",
      alignItems: "baseline",
      justifyContent: "space-between",
      columnGap: 24,
      padding: "10px 16px",
      ...tonedRow(theme, tone),
    },
  }),
);

/** Problems by cause with their places in the sheet, in the colors of the results. */
export function ProblemList({ tone, groups }: { tone: Tone; groups: readonly ProblemGroup[] }) {
  return (
    <List tone={tone}>
      {groups.map((group) => (
        <li key={`${group.code} ${group.column} ${group.text}`}>
          <span style={{ flex: "1 1 20rem", minWidth: 0, whiteSpace: "pre-line" }}>{group.text}</span>
          <small style={{ minWidth: 0 }}>{formatPlace(group)}</small>
        </li>
      ))}
    </List>
  );
}

/** Formats a place in the sheet: a cell, or a column with its rows. */
function formatPlace({ count, column, rows }: ProblemGroup): string {
  if (count === 1) return column ? words.cell(`${column}${rows}`) : words.inRows(rows);
  return words.group(count, column, rows);
}
