import type { CheckReport, ReviewInvoice } from "#features/invoices/check/contract.ts";
import { DUPLICATES } from "#features/invoices/web/check/duplicates-place.ts";
import { checkWords as words } from "#features/invoices/web/check/words.ts";
import { nameOf, numberOf } from "#features/invoices/web/review/invoice-name.ts";
import { FindLink } from "#features/sheets/web/index.ts";
import { Card } from "#web/kit/card.tsx";
import { Disclosure } from "#web/kit/disclosure.tsx";
import { Fragment } from "react";

/** So many of them are read at once; the table of invoices is below. */
const FEW = 3;

type Props = {
  found: CheckReport["possible_duplicates"];
  /** Those of the review, as far as they are known. */
  invoices: readonly ReviewInvoice[];
  onFind: (number: string) => void;
};

/** Invoices that look like one another, or like one posted before, each a way to it in the table of all. */
export function Duplicates({ found, ...more }: Props) {
  return (
    <Card title={words.duplicates} note={words.duplicatesHint}>
      <div id={DUPLICATES}>
        <Groups {...more} found={found.slice(0, FEW)} />
        {found.length > FEW ? (
          <Disclosure title={words.moreDuplicates(found.length - FEW)} my={0}>
            <Groups {...more} found={found.slice(FEW)} />
          </Disclosure>
        ) : null}
      </div>
    </Card>
  );
}

function Groups({ found, invoices, onFind }: Props) {
  const byFirstRow = new Map(invoices.map((invoice) => [Number.parseInt(invoice.rows, 10), invoice]));
  return (
    <ul style={{ marginTop: 0 }}>
      {found.map(({ rows, text }) => {
        const alike = rowsIn(rows).flatMap((row) => byFirstRow.get(row) ?? []);
        return (
          <li key={`${rows} ${text}`} style={{ overflowWrap: "anywhere" }}>
            {text} {words.inRows(rows)}.
            {alike.map((invoice) => (
              <Fragment key={invoice.rows}>
                {" "}
                <FindLink name={nameOf(invoice)} by={numberOf(invoice)} onFind={onFind} />
              </Fragment>
            ))}
          </li>
        );
      })}
    </ul>
  );
}

/** Of "2, 5-7 and 12": 2, 5, 6, 7 and 12. */
const rowsIn = (rows: string): number[] =>
  [...rows.matchAll(/(\d+)(?:-(\d+))?/g)].flatMap(([, first = "", last = first]) =>
    Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => Number(first) + index),
  );
