import type { KeptText, Typed } from "#features/invoices/web/form/kept-text.ts";
import { faultsOf, keepProblems, noFaults } from "#features/invoices/web/form/rules-faults.ts";
import {
  addRows,
  type Cell,
  emptyGrid,
  type Grid,
  isEmptyRow,
  MAX_ROWS,
  pasteCells,
  readPasted,
  setCell,
  START_ROWS,
} from "#features/invoices/web/form/rules.ts";
import type { Outcome } from "#features/invoices/web/form/use-outcome.ts";
import { formWords as words } from "#features/invoices/web/form/words.ts";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { useCallback, useEffect, useState } from "react";

/** The grid's text with ways to change it; what was sent and had no problem leaves it once it is posted. */
export function useTyped(kept: KeptText) {
  const announce = useAnnounce();
  const [typed, setTyped] = useState<Typed>(() => kept.read() ?? { grid: emptyGrid(), faults: noFaults });
  const [note, setNote] = useState<string | null>(null);
  useEffect(() => {
    kept.keep(typed);
  }, [kept, typed]);
  const change = useCallback(
    (cell: Cell, text: string) =>
      setTyped((before) => ({ ...before, grid: setCell(before.grid, cell, text) })),
    [],
  );
  const paste = (cell: Cell, text: string) => {
    const { grid, put, leftOut, unknown } = pasteCells(typed.grid, cell, readPasted(text));
    setTyped({ ...typed, grid });
    const notes = [
      leftOut > 0 ? words.full(leftOut, MAX_ROWS) : null,
      unknown.length > 0 ? words.unknown(unknown) : null,
    ];
    setNote(notes.filter((each) => each !== null).join(" ") || null);
    announce(words.pasted(put));
  };
  const settle = useCallback(
    (sent: Grid, { kind, results }: Outcome) => {
      if (kind === "checked") {
        setTyped((before) => ({ ...before, faults: faultsOf(sent, results) }));
        return;
      }
      const current = kept.read()?.grid ?? sent;
      const left = keepProblems({ sent, current, results });
      const blank = Math.max(0, START_ROWS - left.grid.length);
      setTyped({ grid: addRows(left.grid, blank), faults: left.faults });
      const filled = filledRows(left.grid);
      const rest = filledRows(current) > filled ? ` ${words.restPosted}` : "";
      setNote(filled === 0 ? words.allPosted : words.someLeft(filled) + rest);
    },
    [kept],
  );
  return {
    ...typed,
    note,
    change,
    paste,
    settle,
    add: () => setTyped({ ...typed, grid: addRows(typed.grid, START_ROWS) }),
    clear: () => {
      setTyped({ grid: emptyGrid(), faults: noFaults });
      setNote(null);
      announce(words.cleared);
    },
  };
}

const filledRows = (grid: Grid) => grid.filter((cells) => !isEmptyRow(cells)).length;
