import type { CheckError, UploadCheck } from "#features/invoices/check/contract.ts";
import { hasUnknownNames } from "#features/invoices/web/names/queries.ts";
import { reviewErrorsQuery } from "#features/invoices/web/review/queries.ts";
import type { Again } from "#features/invoices/web/review/use-check-again.ts";
import { reviewWords as words } from "#features/invoices/web/review/words.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { TextInput } from "#web/kit/text-input.tsx";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useInfiniteQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";

type Props = { realmId: string; check: UploadCheck; again: Again };

/** Cells that keep invoices from being posted, each with a field to correct it; names are asked for elsewhere. */
export function FixCells({ realmId, check, again }: Props) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    reviewErrorsQuery(realmId, check),
  );
  const cells =
    data?.pages.flatMap(({ errors }) => errors).filter(({ code }) => !hasUnknownNames(code)) ?? [];
  if (!error && cells.length === 0) return null;
  return (
    <section aria-label={words.fixTitle(invoicesIn(cells))}>
      <h3>{words.fixTitle(invoicesIn(cells))}</h3>
      <p>{words.fixHint}</p>
      <FailedCall error={error} onRetry={() => void refetch()} />
      {cells.map((cell) => (
        <FixCell
          key={`${cell.row} ${cell.field} ${cell.code} ${cell.value}`}
          cell={cell}
          onFix={(fixed) => again.ask([fixed])}
        />
      ))}
      {hasNextPage ? (
        <BusyButton label={words.more} isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()} />
      ) : null}
    </section>
  );
}

const invoicesIn = (cells: readonly CheckError[]) => new Set(cells.map(({ seq }) => seq)).size;

type FixProps = {
  cell: CheckError;
  onFix: (fixed: { row: number; field: string; value: string }) => void;
};

function FixCell({ cell, onFix }: FixProps) {
  const { row, field, header, value, text, doc_number } = cell;
  const name = doc_number ?? words.row(row);
  const [typed, setTyped] = useState(value);
  const fix = (event: FormEvent) => {
    event.preventDefault();
    if (field !== null && typed !== value) onFix({ row, field, value: typed });
  };
  return (
    <Box
      component="form"
      onSubmit={fix}
      sx={{
        display: "grid",
        gridTemplateColumns: { xs: "1fr", md: "1fr 18rem auto" },
        columnGap: 3,
        rowGap: 1,
        alignItems: "end",
        py: 1.5,
        borderBottom: 1,
        borderColor: "divider",
      }}
    >
      <div style={{ overflowWrap: "anywhere" }}>
        <strong>{text}</strong>
        <Box component="small" sx={{ display: "block", color: "text.secondary" }}>
          {words.place(name, header ?? "")} · {words.row(row)} · {words.was(value)}
        </Box>
      </div>
      {field === null ? null : (
        <>
          <TextInput
            label={words.cellOf(header ?? "", name)}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
          <Button type="submit" variant="outlined" disabled={typed === value}>
            {words.use}
          </Button>
        </>
      )}
    </Box>
  );
}
