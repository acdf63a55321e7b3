import { intakeWords as words, type Outcome, OUTCOMES } from "#features/shipping/web/carrier/words.ts";
import type { Taken } from "#features/shipping/web/carrier/add-orders.tsx";
import * as endpoints from "#features/orders/contract.ts";
import type { OrderIntakeResult } from "#features/orders/contract.ts";
import { FailedFile } from "#features/sheets/web/index.ts";
import type { FixedCell } from "#features/sheets/web/review.ts";
import { takeFocus } from "#web/kit/focus.ts";
import { Icon } from "#web/kit/icon.tsx";
import { lazyPart } from "#web/kit/lazy-part.tsx";
import { Notice } from "#web/kit/notice.tsx";
import { LinkButton } from "#web/kit/text-link.tsx";
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
  /** Opens an order by its PO number. */
  onOpen: (po: string) => void;
};

/** Orders that came in, file by file, the latest first. A sheet whose columns or dates are unclear asks for them. */
export function TakenFiles(props: TakenProps) {
  const { realmId, taken, isAdding, onDismiss, onAdd, onCorrect, onOpen } = props;
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
        <TakenFile result={result} dismiss={dismiss} onOpen={onOpen} />
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

type TakenFileProps = { result: OrderIntakeResult; dismiss: ReactNode; onOpen: (po: string) => void };

function TakenFile({ result, dismiss, onOpen }: TakenFileProps) {
  const { filename, documents, cells } = result;
  const correctable = new Set(cells.map(({ po_number }) => po_number));
  const needsUser = documents.some(({ result: outcome }) =>
    ["waiting", "void_first", "refused"].includes(outcome),
  );
  const tone = needsUser
    ? "amber"
    : documents.some(({ result: outcome }) => outcome === "added")
      ? "green"
      : "blue";
  const outcomes = OUTCOMES.map((outcome) => ({
    outcome,
    ended: documents.filter((document) => document.result === outcome),
  })).filter(({ ended }) => ended.length > 0);
  return (
    <Notice tone={tone} role="group" label={words.title(filename)}>
      <div style={{ display: "flex", gap: 12 }}>
        <div style={{ flex: 1, minWidth: 0 }}>
          {outcomes.length === 0 ? <b>{words.nothing}</b> : null}
          {outcomes.map(({ outcome, ended }, index) => (
            <div key={outcome}>
              <DocumentLine
                outcome={outcome}
                documents={ended}
                from={index === 0 ? words.from(filename) : ""}
                // Orders with wrong cells stand below, where they are corrected.
                listed={ended.filter((document) => !correctable.has(document.po_number))}
                onOpen={onOpen}
              />
            </div>
          ))}
          {outcomes.length === 0 ? ` ${words.from(filename)}` : null}
        </div>
        {dismiss}
      </div>
    </Notice>
  );
}

type Documents = OrderIntakeResult["documents"];

type LineProps = {
  outcome: Outcome;
  documents: Documents;
  from: string;
  listed: Documents;
  onOpen: (po: string) => void;
};

/** Says how documents of a file ended up, each named once; open orders are links. */
function DocumentLine({ outcome, documents, from, listed, onOpen }: LineProps) {
  const [first, ...others] = listed;
  if (outcome === "added" && first && others.length === 0)
    return (
      <>
        <Po number={first.po_number} onOpen={onOpen} /> <b>{words.oneAdded}</b> {from}
      </>
    );
  const head = (
    <>
      <b>{words.counts[outcome](documents.length)}</b>
      {from === "" ? "" : ` ${from}`}
    </>
  );
  if (outcome === "refused")
    return (
      <>
        {head}
        <Refused documents={listed} />
      </>
    );
  const isOpen = outcome === "added" || outcome === "waiting";
  const more = listed.length - MAX_POS;
  return (
    <>
      {head}
      {listed.length === 0 ? null : ": "}
      {listed.slice(0, MAX_POS).map(({ po_number: po }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a file may name an order twice
        <Fragment key={index}>
          {index === 0 ? "" : ", "}
          {isOpen ? <Po number={po} onOpen={onOpen} /> : words.po(po)}
        </Fragment>
      ))}
      {more > 0 ? ` ${words.more(more)}` : null}
    </>
  );
}

function Po({ number, onOpen }: { number: string; onOpen: (po: string) => void }) {
  return (
    <LinkButton type="button" onClick={() => onOpen(number)} sx={{ minHeight: 24 }}>
      {words.po(number)}
    </LinkButton>
  );
}

function Refused({ documents }: { documents: Documents }) {
  if (documents.length === 0) return null;
  return (
    <ul style={{ margin: "4px 0 0", paddingLeft: 20 }}>
      {documents.map(({ po_number: po, problems }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- refused documents may have no number
        <li key={index}>
          <b>{po === "" ? words.noPo : words.po(po)}</b> {problems.join(" ")}
        </li>
      ))}
    </ul>
  );
}
