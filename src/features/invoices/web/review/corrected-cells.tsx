import type { UploadCheck } from "#features/invoices/check/contract.ts";
import type { Again } from "#features/invoices/web/review/use-check-again.ts";
import { reviewWords as words } from "#features/invoices/web/review/words.ts";
import { Disclosure } from "#web/kit/disclosure.tsx";
import Button from "@mui/material/Button";

/** What was corrected in this review, each with a way back. */
export function CorrectedCells({ check, again }: { check: UploadCheck; again: Again }) {
  if (check.corrections.length === 0) return null;
  return (
    <Disclosure title={words.corrected(check.corrections.length)}>
      <ul style={{ margin: "8px 0" }}>
        {check.corrections.map(({ row, field, header, was, value }) => (
          <li key={`${row} ${field}`} style={{ overflowWrap: "anywhere" }}>
            {words.correction(row, header)} <del>{words.was(was)}</del> {words.was(value)}{" "}
            <Button
              color="inherit"
              aria-label={words.undoOf(row, header)}
              onClick={() => again.ask([{ row, field, value: was }])}
            >
              {words.undo}
            </Button>
          </li>
        ))}
      </ul>
    </Disclosure>
  );
}
