import type { ListedUpload } from "#features/invoices/contract.ts";
import { FixButton } from "#features/invoices/web/results/fix-button.tsx";
import { amountOf, stateOf } from "#features/invoices/web/results/upload-summary.ts";
import { UndoButton } from "#features/invoices/web/undo/undo-button.tsx";
import { uploadWords } from "#features/invoices/web/words.ts";
import { Chip } from "#web/kit/chip.tsx";
import { formatCount, formatDateTime, timeZoneAt } from "#web/kit/format.ts";
import { Icon } from "#web/kit/icon.tsx";
import { typeScale } from "#web/theme/type-scale.ts";
import Button from "@mui/material/Button";
import ButtonBase from "@mui/material/ButtonBase";
import { styled } from "@mui/material/styles";
import { ChevronDown, ChevronRight } from "lucide-react";
import { Link } from "react-router";

const words = uploadWords.results;

/** On wide screens one line whose columns stand below each other in all uploads; on narrow ones an entry of a few lines. */
export const Line = styled("div")(({ theme }) => ({
  display: "grid",
  alignItems: "center",
  ...typeScale.table,
  [theme.breakpoints.up("lg")]: {
    gridTemplateColumns: "minmax(0, 1fr) 10.5rem 8rem 7rem 7.5rem 10rem 12.5rem",
    columnGap: 12,
    paddingInline: "9px 4px",
    minHeight: 46,
    "& > [data-at=posted], & > [data-at=amount]": { textAlign: "right" },
    "& > [data-at=state]": { paddingBlock: 6, paddingLeft: 20 },
  },
  [theme.breakpoints.down("lg")]: {
    gridTemplateColumns: "minmax(0, 1fr) auto",
    gap: "2px 12px",
    padding: "8px 4px 8px 8px",
    "& > [data-at=uploaded], & > [data-at=by], & > [data-at=state], & > [data-at=actions]": {
      paddingLeft: 26,
    },
    "& > [data-at=amount]": { gridRow: 1, gridColumn: 2, fontWeight: 700, textAlign: "right" },
    "& > [data-at=posted]": { gridRow: 2, gridColumn: 2, textAlign: "right" },
    "& > [data-at=actions]": { gridColumn: "1 / -1", marginLeft: -8 },
    "& > [data-at=actions]:empty": { display: "none" },
  },
}));

const Quiet = styled("span")(({ theme }) => ({ color: (theme.vars ?? theme).palette.text.secondary }));
const Caption = styled("span")(({ theme }) => ({ color: (theme.vars ?? theme).palette.text.caption }));

type Props = {
  realmId: string;
  upload: ListedUpload;
  /** What its parts are called by: `{id}-name`, `{id}-rows`. */
  id: string;
  isOpen: boolean;
  onToggle: () => void;
};

/** File, when, by whom, invoices and money posted, state, and what can be done about it. */
export function UploadLine({ realmId, upload, id, isOpen, onToggle }: Props) {
  const { filename, timestamp, uploaded_by: by, invoices } = upload;
  const state = stateOf(upload);
  return (
    <Line sx={{ "&:hover": { backgroundColor: "background.hover" } }}>
      <h3 style={{ margin: 0, font: "inherit", minWidth: 0 }}>
        <ButtonBase
          aria-expanded={isOpen}
          aria-controls={`${id}-rows`}
          onClick={onToggle}
          sx={{
            gap: 1,
            minHeight: 44,
            py: 0.75,
            maxWidth: "100%",
            justifyContent: "flex-start",
            font: "inherit",
            "& > svg": { color: "text.caption" },
            "&:hover strong": { textDecoration: "underline" },
          }}
        >
          <Icon of={isOpen ? ChevronDown : ChevronRight} size="small" />
          <strong id={`${id}-name`} style={{ overflowWrap: "anywhere", minWidth: 0, textAlign: "left" }}>
            {filename}
          </strong>
        </ButtonBase>
      </h3>
      <Quiet data-at="uploaded">
        <time dateTime={timestamp} title={timeZoneAt(timestamp)}>
          {formatDateTime(timestamp)}
        </time>
      </Quiet>
      <Quiet data-at="by" style={{ overflowWrap: "anywhere" }}>
        {by}
      </Quiet>
      <span data-at="posted">
        {invoices.total === 0 ? null : (
          <>
            {formatCount(invoices.posted)} <Caption>{words.of(invoices.total)}</Caption>
          </>
        )}
      </span>
      <span data-at="amount">{invoices.total === 0 ? null : amountOf(invoices)}</span>
      <span data-at="state">
        <Chip tone={state.tone}>{state.text}</Chip>
        {invoices.undone > 0 && state.text !== words.states.undone ? (
          <Caption style={{ display: "block", marginTop: 2 }}>{words.undone(invoices.undone)}</Caption>
        ) : null}
      </span>
      <Actions realmId={realmId} upload={upload} />
    </Line>
  );
}

const Row = styled("span")(({ theme }) => ({
  display: "flex",
  flexWrap: "wrap",
  alignItems: "center",
  [theme.breakpoints.up("lg")]: { justifyContent: "flex-end" },
}));

function Actions({ realmId, upload }: Pick<Props, "realmId" | "upload">) {
  const { counts, invoices, filename, id } = upload;
  const isDone = counts.open === 0;
  return (
    <Row data-at="actions" data-print="never">
      {isDone && invoices.problems > 0 ? <FixButton upload={upload} /> : null}
      <Button
        variant="text"
        size="small"
        component={Link}
        to={`?receipt=${id}`}
        aria-label={words.receiptOf(filename)}
      >
        {words.receipt}
      </Button>
      <UndoButton realmId={realmId} upload={upload} isUndoable={counts.completed > 0 && isDone} look="text" />
    </Row>
  );
}
