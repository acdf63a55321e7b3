import { wrongWords as words } from "#features/sheets/web/words.ts";
import { Disclosure } from "#web/kit/disclosure.tsx";
import Button from "@mui/material/Button";

type Props = {
  /** By their first row, with all of their rows: "2, 5-9 and 12". */
  records: readonly { row: number; rows: string }[];
  onPutBack: (row: number) => void;
};

/** What was left out in a review, each with a way back. */
export function LeftOut({ records, onPutBack }: Props) {
  if (records.length === 0) return null;
  return (
    <Disclosure title={words.leftOut(records.length)}>
      <ul style={{ margin: "8px 0" }}>
        {records.map(({ row, rows }) => (
          <li key={row}>
            {words.inRows(rows)}{" "}
            <Button
              color="inherit"
              aria-label={words.putBackOf(words.inRows(rows))}
              onClick={() => onPutBack(row)}
            >
              {words.putBack}
            </Button>
          </li>
        ))}
      </ul>
    </Disclosure>
  );
}

type LeaveOutProps = { name: string; onClick: (() => void) | undefined };

/** Leaves a record out of what is made of the sheet. */
export function LeaveOutButton({ name, onClick }: LeaveOutProps) {
  if (!onClick) return null;
  return (
    <Button variant="text" size="small" aria-label={words.leaveOutOf(name)} onClick={onClick}>
      {words.leaveOut}
    </Button>
  );
}
