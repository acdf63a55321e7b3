import { intakeWords as words } from "#features/shipping/web/carrier/words.ts";
import type { OrderIntakeResult } from "#features/orders/contract.ts";
import { CorrectedCells, type FixedCell, WrongCells } from "#features/sheets/web/review.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import Box from "@mui/material/Box";
import { useState } from "react";

type Wrong = OrderIntakeResult["cells"][number];

type Props = {
  filename: string;
  wrong: readonly Wrong[];
  /** Cells that were corrected before. */
  before: readonly FixedCell[];
  isAdding: boolean;
  onCorrect: (cells: readonly FixedCell[]) => void;
};

/** Wrong cells of a sheet of orders. Corrections are collected, because each sending stores the file. */
export function WrongOrders({ filename, wrong, before, isAdding, onCorrect }: Props) {
  const [fixed, setFixed] = useState<readonly FixedCell[]>([]);
  const left = wrong.filter((cell) => !fixed.some((each) => isSame(each, cell)));
  return (
    <WrongCells
      title={words.fixTitle(wrong.length, filename)}
      cells={left.map((cell) => ({
        ...cell,
        name: words.rowName(cell.po_number, cell.row),
        effect: words.cell(cell.cell),
      }))}
      hasFailed={false}
      onFix={(cell) => setFixed([...fixed, cell])}
      below={
        <Box sx={{ mt: 2, "& > :first-of-type": { mt: 0 } }}>
          <CorrectedCells
            cells={fixed.map((each) => toCorrected(each, wrong))}
            onUndo={(cell) => setFixed(fixed.filter((each) => !isSame(each, cell)))}
          />
          <BusyButton
            label={words.addCorrected}
            detail={words.ofFile(filename)}
            disabled={fixed.length === 0}
            isBusy={isAdding}
            onClick={() =>
              onCorrect([...before.filter((each) => !fixed.some((cell) => isSame(each, cell))), ...fixed])
            }
          />
        </Box>
      }
    />
  );
}

type Place = { row: number; field: string | null };

const isSame = (a: Place, b: Place) => a.row === b.row && a.field === b.field;

function toCorrected(cell: FixedCell, wrong: readonly Wrong[]) {
  const was = wrong.find((each) => isSame(each, cell));
  return { ...cell, place: String(cell.row), header: was?.header ?? "", was: was?.value ?? "" };
}
