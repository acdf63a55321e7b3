import type { UploadResult } from "#features/invoices/contract.ts";
import { describeStatus } from "#features/invoices/web/results/status.ts";
import { IntuitReference } from "#features/invoices/web/tables/intuit-reference.tsx";
import { styled } from "@mui/material/styles";
import type { Tone } from "#web/theme/colors.ts";
import { tonedRow } from "#web/theme/tone.ts";
import { memo } from "react";

const Row = styled("div", { shouldForwardProp: (name) => name !== "tone" })<{ tone: Tone }>(
  ({ theme, tone }) => ({
    display: "grid",
    gridTemplateColumns: "8rem 14rem minmax(0, 1fr)",
    gap: 12,
    padding: "10px 12px",
    ...tonedRow(theme, tone),
    [theme.breakpoints.down("sm")]: {
      gridTemplateColumns: "auto minmax(0, 1fr)",
      "& > :last-child": { gridColumn: "1 / -1" },
    },
  }),
);

const Icon = styled("span")({ display: "inline-block", width: "1.5em", fontWeight: 900 });

/** One entry: the rows it is about, its status as word, mark and colour, and the message as plain text. */
export const ResultRow = memo(function ResultRow({
  entry,
  rowIndex,
}: {
  entry: UploadResult;
  rowIndex: number;
}) {
  const { rows, status, message, intuit_tids: tids } = entry;
  const { word, tone, icon } = describeStatus(status);
  const text = {
    overflowWrap: "anywhere",
    whiteSpace: message.includes("\n") ? "pre-wrap" : "normal",
  } as const;
  return (
    <Row role="row" aria-rowindex={rowIndex} tone={tone} data-tone={tone}>
      <span role="cell">{rows}</span>
      <span role="cell">
        <Icon aria-hidden="true">{icon}</Icon>
        {word}
      </span>
      <span role="cell" style={text}>
        {message}
        <IntuitReference tids={tids?.join(", ")} />
      </span>
    </Row>
  );
});

/** What identifies an entry of an upload: a row may have several, each with its own status or words. */
export function keyOf(entry: UploadResult | undefined): string | undefined {
  return entry && `${entry.rows} ${entry.status} ${entry.message}`;
}
