import type { TypedDateOrder } from "#features/sheets/contract.ts";
import { readDateText, spellDate } from "#formats/table/dates.ts";
import { FindLink, LeaveOutButton, ReviewRow, ReviewRows } from "#features/sheets/web/review-rows.tsx";
import { wrongWords as words } from "#features/sheets/web/words.ts";
import { Card } from "#web/kit/card.tsx";
import { Disclosure } from "#web/kit/disclosure.tsx";
import { TextInput } from "#web/kit/text-input.tsx";
import { openDraft } from "#web/kit/use-draft.ts";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { styled } from "@mui/material/styles";
import { type FormEvent, type ReactNode, useId, useState } from "react";

/** A cell with an error that blocks its record. */
export type WrongCell = {
  code: string;
  text: string;
  row: number;
  /** Field and its template header; null if the problem concerns no field. */
  field: string | null;
  header: string | null;
  value: string;
  /** Prefilled for the user to confirm; never applied automatically. */
  suggestion?: string | null;
  date_order: TypedDateOrder | null;
  /** Name of the record, the search text that finds it in the table, and the effect of the error. */
  name: string;
  foundBy?: string | undefined;
  effect: string;
};

/** Field for the right value of a cell. A chosen value is sent at once, a typed one when the field is left. */
export type CellInput = {
  /** Field of the sheet. */
  field: string;
  label: string;
  value: string;
  onType: (text: string) => void;
  onChoose: (text: string) => void;
  onBlur: () => void;
};

export type FixedCell = { row: number; field: string; value: string };

type Props = {
  title: string;
  /** Key under which unsent input is stored. */
  draftName?: string;
  cells: readonly WrongCell[];
  /** The last correction failed, so the same value can be sent again. */
  hasFailed: boolean;
  onFix: (fixed: FixedCell) => void;
  /** Leaves out the record of a row, if the review allows it. */
  onLeaveOut?: (row: number) => void;
  /** Shows a record in the table of all records. */
  onFind?: (text: string) => void;
  /** Draws the field of a cell that needs more than a line of text; null for others. */
  drawField?: (input: CellInput) => ReactNode;
  /** Shown beside the heading. */
  actions?: ReactNode;
  /** Shown above and below the cells. */
  above?: ReactNode;
  below?: ReactNode;
};

/** Maximum number of faults with one cause that are listed; more are collapsed into one row. */
const FEW = 3;

/** Wrong cells by cause, each with a field to correct it. */
export function WrongCells({
  title,
  draftName,
  cells,
  hasFailed,
  onFix,
  onLeaveOut,
  onFind,
  drawField,
  actions,
  above,
  below,
}: Props) {
  const toRow = (cell: WrongCell) => (
    <FixCell
      key={`${cell.row} ${cell.field} ${cell.code} ${cell.value}`}
      cell={cell}
      draftName={draftName}
      hasFailed={hasFailed}
      onFix={onFix}
      onLeaveOut={onLeaveOut}
      onFind={onFind}
      drawField={drawField}
    />
  );
  const causes = Map.groupBy(cells, ({ code, field, text }) => `${code} ${field} ${text}`);
  return (
    <Card title={title} note={words.hint} actions={actions}>
      {above}
      <ReviewRows tone="red">
        {Array.from(causes, ([key, cause]) =>
          cause.length <= FEW ? cause.map(toRow) : <Cause key={key} cells={cause} toRow={toRow} />,
        )}
      </ReviewRows>
      {below}
    </Card>
  );
}

/** Splits a sentence about a fault into the fault, without its full stop, and what follows: the fix. */
export function splitCause(text: string): [cause: string, fix: string] {
  const [, cause = text, fix = ""] = /^(.{12,}?[.?!])\s+(?=\p{Lu})(.+)$/su.exec(text) ?? [];
  return [cause.replace(/\.$/, ""), fix];
}

/** Many faults with one cause, shown as one row with a count that expands to the cells. */
function Cause({ cells, toRow }: { cells: readonly WrongCell[]; toRow: (cell: WrongCell) => ReactNode }) {
  const [first] = cells;
  const [cause, fix] = splitCause(first?.text ?? "");
  return (
    <ReviewRow
      what={
        <>
          <strong>{cause}</strong>
          <Box component="small" sx={{ display: "block", color: "text.secondary" }}>
            {words.times(cells.length, first?.header ?? "")}
            {words.cure(fix)}
          </Box>
        </>
      }
      below={
        <Disclosure title={words.fixCells(cells.length)} my={0}>
          {cells.map(toRow)}
        </Disclosure>
      }
    />
  );
}

const Was = styled("span")(({ theme }) => ({
  fontSize: "0.875rem",
  color: (theme.vars ?? theme).palette.status.red.ink,
}));

const Caption = styled("small")(({ theme }) => ({
  display: "block",
  color: (theme.vars ?? theme).palette.text.secondary,
}));

/** Spells out a typed date as it will be read; empty while it cannot be read. */
function spellTyped(typed: string, order: TypedDateOrder & string): string {
  const date = readDateText(typed, order);
  if (date.kind === "none" || (date.kind === "either" && order === "unclear")) return "";
  return spellDate(date.iso);
}

type FixProps = {
  cell: WrongCell;
  draftName: string | undefined;
  /** The last correction failed, so the same value can be sent again. */
  hasFailed: boolean;
  onFix: (fixed: FixedCell) => void;
  onLeaveOut: ((row: number) => void) | undefined;
  onFind: ((text: string) => void) | undefined;
  drawField: Props["drawField"];
};

function FixCell({ cell, draftName, hasFailed, onFix, onLeaveOut, onFind, drawField }: FixProps) {
  const { field, header, value, suggestion, date_order, text, row, name, foundBy, effect } = cell;
  // A draft survives the end of the session. The page keeps corrections that were sent.
  const [draft] = useState(() => (draftName ? openDraft(`cell.${draftName}.${row}.${field}`) : null));
  const [typed, setTyped] = useState(() => draft?.get() ?? suggestion ?? value);
  const [isSuggested, setSuggested] = useState(() => typed === suggestion && draft?.get() !== typed);
  const [sent, setSent] = useState(value);
  const form = useId();
  // Both blur and the button send, and a click on the button blurs the field first. A suggestion is sent only by the button.
  const send = (next = typed) => {
    if (field === null || next === value || (next === sent && !hasFailed)) return;
    setSent(next);
    draft?.forget();
    onFix({ row, field, value: next });
  };
  const type = (next: string) => {
    setTyped(next);
    setSuggested(false);
    draft?.keep(next);
  };
  const input = field !== null && {
    field,
    label: words.cellLabel(header ?? "", name),
    value: typed,
    onType: type,
    onChoose: (next: string) => {
      type(next);
      send(next);
    },
    onBlur: () => {
      if (!isSuggested) send();
    },
  };
  const [cause, fix] = splitCause(text);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send();
  };
  return (
    <ReviewRow
      what={
        <>
          <strong>{cause}</strong>
          <Box component="small" sx={{ display: "block", color: "text.secondary" }}>
            {foundBy && onFind ? <FindLink name={name} by={foundBy} onFind={onFind} /> : name}
            {words.column(header ?? "")}
            {words.cure(fix)}
          </Box>
        </>
      }
      was={<Was>{words.was(value)}</Was>}
      field={
        input === false ? null : (
          <form id={form} onSubmit={submit}>
            {drawField?.(input) ?? (
              <TextInput
                label={input.label}
                labelAt="hidden"
                value={typed}
                onChange={({ target }) => type(target.value)}
                onBlur={input.onBlur}
              />
            )}
            {date_order ? <Caption aria-live="polite">{spellTyped(typed, date_order)}</Caption> : null}
          </form>
        )
      }
      effect={effect}
      action={
        // Shows "Use" once something is typed, and "Leave out" until then.
        <>
          {field !== null && (typed !== value || !onLeaveOut) ? (
            <Button type="submit" form={form} variant="outlined" disabled={typed === value}>
              {words.use}
            </Button>
          ) : null}
          {isSuggested || typed === value ? (
            <LeaveOutButton name={name} onClick={onLeaveOut && (() => onLeaveOut(row))} />
          ) : null}
        </>
      }
    />
  );
}
