import { intakeWords as words, type Outcome, OUTCOMES } from "#features/shipping/web/carrier/words.ts";
import type { Taken } from "#features/shipping/web/carrier/add-orders.tsx";
import * as endpoints from "#features/orders/contract.ts";
import type { OrderIntakeResult } from "#features/orders/contract.ts";
import { FailedFile } from "#features/sheets/web/index.ts";
import type { FixedCell } from "#features/sheets/web/review.ts";
import { takeFocusLate } from "#web/kit/focus.ts";
import { Icon } from "#web/kit/icon.tsx";
import { lazyPart } from "#web/kit/lazy-part.tsx";
import { Notice } from "#web/kit/notice.tsx";
import { LinkButton } from "#web/kit/text-link.tsx";
import { Spinner } from "#web/kit/spinner.tsx";
import Button from "@mui/material/Button";
import { X } from "lucide-react";
import { Fragment, Suspense } from "react";

const WrongOrders = lazyPart(
  async () => (await import("#features/shipping/web/carrier/wrong-orders.tsx")).WrongOrders,
);

type TakenProps = {
  realmId: string;
  taken: readonly Taken[];
  /** Takes the band away. */
  onDismiss: () => void;
  isAdding: boolean;
  onAdd: (files: readonly File[]) => void;
  onCorrect: (file: File, cells: readonly FixedCell[]) => void;
  /** Opens an order by its PO number. */
  onOpen: (po: string) => void;
};

/** Orders that came in: one band says what became of all files. A sheet whose columns or dates are unclear asks for them. */
export function TakenFiles(props: TakenProps) {
  const { realmId, taken, isAdding, onDismiss, onAdd, onCorrect, onOpen } = props;
  return (
    <>
      <ResultBand taken={taken} onDismiss={onDismiss} onOpen={onOpen} />
      {taken.map(({ at, file, cells, result, error }) =>
        !result ? (
          <FailedFile
            key={at}
            endpoints={endpoints}
            realmId={realmId}
            failed={{ file }}
            error={error}
            title={words.title([file.name])}
            send={() => (cells.length === 0 ? onAdd([file]) : onCorrect(file, cells))}
          />
        ) : result.cells.length === 0 ? null : (
          <Suspense key={at} fallback={<Spinner label={words.adding(file.name)} />}>
            <WrongOrders
              filename={file.name}
              wrong={result.cells}
              before={cells}
              isAdding={isAdding}
              onCorrect={(fixed) => onCorrect(file, fixed)}
            />
          </Suspense>
        ),
      )}
    </>
  );
}

/** Longer lists say how many more there are. */
const MAX_POS = 20;

type BandProps = Pick<TakenProps, "taken" | "onDismiss" | "onOpen">;

function ResultBand({ taken, onDismiss, onOpen }: BandProps) {
  const results = taken.flatMap(({ result }) => (result ? [result] : []));
  const [latest] = taken.filter(({ result }) => result);
  if (!latest) return null;
  const names = results.map(({ filename }) => filename);
  return (
    <Notice tone={pickTone(results)} role="group" label={words.title(names)}>
      <div style={{ display: "flex", gap: 12 }}>
        <div style={{ flex: 1, minWidth: 0 }}>
          {results.map((result, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- several files may have one name
            <Fragment key={index}>
              {index === 0 ? null : SEPARATOR}
              <FileParts result={result} onOpen={onOpen} />
            </Fragment>
          ))}
        </div>
        <Button
          key={latest.at}
          variant="text"
          size="small"
          // The button that sent the corrections is gone.
          {...(latest.cells.length > 0 ? { ref: takeFocusLate } : {})}
          aria-label={words.dismiss(names)}
          onClick={onDismiss}
          sx={{ minWidth: 32, alignSelf: "flex-start" }}
        >
          <Icon of={X} size="small" />
        </Button>
      </div>
    </Notice>
  );
}

const SEPARATOR = " · ";

/** Green if most came in; red only if nothing did. */
function pickTone(results: readonly OrderIntakeResult[]) {
  const outcomes = results.flatMap(({ documents }) => documents.map(({ result }) => result));
  const stuck = outcomes.filter((outcome) => ["waiting", "void_first", "refused"].includes(outcome)).length;
  if (stuck === 0) return outcomes.includes("added") ? "green" : "blue";
  if (outcomes.every((outcome) => outcome === "refused")) return "red";
  return stuck < outcomes.length - stuck ? "green" : "amber";
}

type FileProps = { result: OrderIntakeResult; onOpen: (po: string) => void };

function FileParts({ result: { filename, documents, cells }, onOpen }: FileProps) {
  const correctable = new Set(cells.map(({ po_number }) => po_number));
  const outcomes = OUTCOMES.map((outcome) => ({
    outcome,
    ended: documents.filter((document) => document.result === outcome),
  })).filter(({ ended }) => ended.length > 0);
  if (outcomes.length === 0)
    return (
      <>
        <b>{words.nothing}</b> {words.from(filename)}
      </>
    );
  return outcomes.map(({ outcome, ended }, index) => (
    <Fragment key={outcome}>
      {index === 0 ? null : SEPARATOR}
      <DocumentLine
        outcome={outcome}
        documents={ended}
        from={index === 0 ? words.from(filename) : ""}
        // Orders with wrong cells are shown below, where they are corrected.
        listed={ended.filter((document) => !correctable.has(document.po_number))}
        onOpen={onOpen}
      />
    </Fragment>
  ));
}

type Documents = OrderIntakeResult["documents"];

type LineProps = {
  outcome: Outcome;
  documents: Documents;
  from: string;
  listed: Documents;
  onOpen: (po: string) => void;
};

/** Number of orders up to which they are named without their count. */
const FEW = 2;

/** Says how documents of a file ended up, each named once; open orders are links. */
function DocumentLine({ outcome, documents, from, listed, onOpen }: LineProps) {
  if (outcome === "added" && listed.length > 0 && listed.length <= FEW && listed.length === documents.length)
    return (
      <>
        {listed.map(({ po_number: po }, index) => (
          <Fragment key={po}>
            {index === 0 ? "" : words.and}
            <Po number={po} onOpen={onOpen} />
          </Fragment>
        ))}{" "}
        <b>{words.added}</b> {from}
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

/** One is named in the line, several below it. */
function Refused({ documents }: { documents: Documents }) {
  const [first, ...others] = documents;
  if (!first) return null;
  const name = (po: string) => (po === "" ? words.noPo : words.po(po));
  if (others.length === 0)
    return (
      <>
        {": "}
        <b>{name(first.po_number)}</b> {first.problems.join(" ")}
      </>
    );
  return (
    <ul style={{ margin: "4px 0 0", paddingLeft: 20 }}>
      {documents.map(({ po_number: po, problems }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- refused documents may have no number
        <li key={index}>
          <b>{name(po)}</b> {problems.join(" ")}
        </li>
      ))}
    </ul>
  );
}
