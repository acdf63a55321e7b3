import {
  countDocuments,
  intakeWords as words,
  type Outcome,
  OUTCOMES,
} from "#features/shipping/web/carrier/words.ts";
import type { Taken } from "#features/shipping/web/carrier/add-orders.tsx";
import * as endpoints from "#features/orders/contract.ts";
import type { OrderIntakeResult } from "#features/orders/contract.ts";
import { FailedFile } from "#features/sheets/web/index.ts";
import type { FixedCell } from "#features/sheets/web/review.ts";
import { takeFocus } from "#web/kit/focus.ts";
import { Icon } from "#web/kit/icon.tsx";
import { lazyPart } from "#web/kit/lazy-part.tsx";
import { Notice } from "#web/kit/notice.tsx";
import { Spinner } from "#web/kit/spinner.tsx";
import Button from "@mui/material/Button";
import { X } from "lucide-react";
import { Fragment, type ReactNode, Suspense } from "react";

const WrongOrders = lazyPart(
  async () => (await import("#features/shipping/web/carrier/wrong-orders.tsx")).WrongOrders,
);

type TakenProps = {
  realmId: string;
  taken: readonly Taken[];
  onDismiss: (at: number) => void;
  isAdding: boolean;
  onAdd: (files: readonly File[]) => void;
  onCorrect: (file: File, cells: readonly FixedCell[]) => void;
};

/** Orders that came in, file by file, the latest first. A sheet whose columns or dates are unclear asks for them. */
export function TakenFiles({ realmId, taken, isAdding, onDismiss, onAdd, onCorrect }: TakenProps) {
  return taken.map(({ at, file, cells, result, error }) => {
    const filename = file.name;
    const dismiss = (
      <Button
        variant="text"
        size="small"
        // The button that sent the corrections is gone.
        {...(cells.length > 0 ? { ref: takeFocus } : {})}
        aria-label={words.dismiss(filename)}
        onClick={() => onDismiss(at)}
        sx={{ minWidth: 32, alignSelf: "flex-start" }}
      >
        <Icon of={X} size="small" />
      </Button>
    );
    if (!result)
      return (
        <FailedFile
          key={at}
          endpoints={endpoints}
          realmId={realmId}
          failed={{ file }}
          error={error}
          title={words.title(filename)}
          send={() => (cells.length === 0 ? onAdd([file]) : onCorrect(file, cells))}
        />
      );
    return (
      <Fragment key={at}>
        <TakenFile result={result} dismiss={dismiss} />
        {result.cells.length === 0 ? null : (
          <Suspense fallback={<Spinner label={words.adding(filename)} />}>
            <WrongOrders
              filename={filename}
              wrong={result.cells}
              before={cells}
              isAdding={isAdding}
              onCorrect={(fixed) => onCorrect(file, fixed)}
            />
          </Suspense>
        )}
      </Fragment>
    );
  });
}

/** Longer lists say how many more there are. */
const MAX_POS = 20;

function TakenFile({ result, dismiss }: { result: OrderIntakeResult; dismiss: ReactNode }) {
  const { filename, documents, cells } = result;
  const correctable = new Set(cells.map(({ po_number }) => po_number));
  const counts = countDocuments(result);
  const needsUser = documents.some(({ result: outcome }) =>
    ["waiting", "void_first", "refused"].includes(outcome),
  );
  const tone = needsUser
    ? "amber"
    : documents.some(({ result: outcome }) => outcome === "added")
      ? "green"
      : "blue";
  return (
    <Notice tone={tone} role="group" label={words.title(filename)}>
      <div style={{ display: "flex", gap: 12 }}>
        <div style={{ flex: 1, minWidth: 0 }}>
          <b>{counts.length === 0 ? words.nothing : counts.join(", ")}</b> · {filename}
          {OUTCOMES.map((outcome) => {
            // Orders with wrong cells stand below, where they are corrected.
            const of = documents.filter((one) => one.result === outcome && !correctable.has(one.po_number));
            return outcome === "refused" ? (
              <Refused key={outcome} documents={of} />
            ) : (
              <Pos key={outcome} outcome={outcome} pos={of.map((one) => one.po_number)} />
            );
          })}
        </div>
        {dismiss}
      </div>
    </Notice>
  );
}

function Pos({ outcome, pos }: { outcome: Exclude<Outcome, "refused">; pos: readonly string[] }) {
  if (pos.length === 0) return null;
  const more = pos.length - MAX_POS;
  return (
    <div>
      {words.counts[outcome](pos.length)}: {words.pos(pos.slice(0, MAX_POS))}
      {more > 0 ? ` ${words.more(more)}` : null}
    </div>
  );
}

function Refused({ documents }: Pick<OrderIntakeResult, "documents">) {
  if (documents.length === 0) return null;
  return (
    <ul style={{ margin: "4px 0 0", paddingLeft: 20 }}>
      {documents.map(({ po_number: po, problems }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- refused documents may have no number
        <li key={index}>
          <b>{po === "" ? words.noPo : words.pos([po])}</b> {problems.join(" ")}
        </li>
      ))}
    </ul>
  );
}
