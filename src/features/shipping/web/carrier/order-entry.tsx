import { downloadPackingSlip, type OpenOrder } from "#features/shipping/contract.ts";
import { CancelButton } from "#features/shipping/web/carrier/cancel-order.tsx";
import { CartonRows } from "#features/shipping/web/carrier/carton-rows.tsx";
import { useCarrier } from "#features/shipping/web/carrier/carrier-context.ts";
import { OrderFlags, OrderOutcome } from "#features/shipping/web/carrier/order-outcome.tsx";
import { useIsMain, useLocalOrder, useOrderStore } from "#features/shipping/web/carrier/order-store.ts";
import {
  copySize,
  sumCartons,
  toText,
  warnOfSurcharges,
} from "#features/shipping/web/shipment/rules-cartons.ts";
import type { CartonText } from "#features/shipping/web/shipment/rules-cartons.ts";
import {
  canGenerate,
  type ListedOrder,
  type OrderState,
  readState,
  shipByState,
} from "#features/shipping/web/carrier/rules-orders.ts";
import { isAsLastTime, typedCartons } from "#features/shipping/web/carrier/typed-cartons.ts";
import { orderWords as words } from "#features/shipping/web/carrier/words.ts";
import { shipmentWords } from "#features/shipping/web/shipment/words.ts";
import { call } from "#web/kit/api-client.ts";
import { Chip } from "#web/kit/chip.tsx";
import { DownloadButton } from "#web/kit/document-buttons.tsx";
import { useFirstControl, useFocusThrough } from "#web/kit/focus.ts";
import { lazyPart } from "#web/kit/lazy-part.tsx";
import { useSettled } from "#web/kit/use-search.ts";
import { visuallyHidden } from "#web/kit/visually-hidden.ts";
import Button from "@mui/material/Button";
import CircularProgress from "@mui/material/CircularProgress";
import { memo, type Ref, Suspense, useCallback, useId, useRef } from "react";

// For orders whose service isn't known.
const ServiceChoice = lazyPart(
  async () => (await import("#features/shipping/web/carrier/rare-parts.ts")).ServiceChoice,
);
// For orders in several cartons.
const PackingGrid = lazyPart(
  async () => (await import("#features/shipping/web/carrier/rare-parts.ts")).PackingGrid,
);

/** One order: who and where, its cartons, and what became of its labels. */
export const OrderEntry = memo(function OrderEntry({
  order,
  status,
  isNew,
}: ListedOrder & { isNew: boolean }) {
  const store = useOrderStore();
  const local = useLocalOrder(order.id);
  const id = useId();
  const listed = { order, status };
  const state = readState(listed, local);
  const isFlagged = order.waiting !== null || order.cancellation_asked_at !== null;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- focus inside only decides which button is the main one
    <article
      aria-labelledby={id}
      data-state={state}
      {...(isFlagged ? { "data-flag": "amber" } : {})}
      onFocus={() => store.setActive(canGenerate(listed, local) || state === "made" ? order.id : null)}
    >
      <Who
        id={id}
        {...listed}
        isNew={isNew}
        state={state}
        isSelected={local.isSelected === true}
        canSelect={canGenerate(listed, local)}
      />
      <div className="cartons">
        {status === "handled_elsewhere" ? <p className="sum">{words.elsewhere}</p> : <Cartons {...listed} />}
      </div>
    </article>
  );
});

type WhoProps = ListedOrder & {
  id: string;
  isNew: boolean;
  state: OrderState;
  isSelected: boolean;
  canSelect: boolean;
};

/** Not drawn again while cartons are typed. */
const Who = memo(function Who({ id, order, status, isNew, state, isSelected, canSelect }: WhoProps) {
  const store = useOrderStore();
  const { today, blocked } = useCarrier();
  const po = order.po_number;
  const due = shipByState(order.ship_by, today);
  const isSelectable = canSelect && blocked === null;
  return (
    <div className="who">
      <label className="check">
        <input
          type="checkbox"
          aria-label={words.select(po)}
          checked={isSelected && isSelectable}
          disabled={!isSelectable}
          onChange={({ target }) => store.change(order.id, { isSelected: target.checked || undefined })}
        />
      </label>
      <div>
        <p className="po" id={id}>
          {words.name(po, order.customer_name)}
        </p>
        {isNew && status === "open" && state !== "made" ? (
          <Chip tone="blue" icon={null}>
            {words.isNew}
          </Chip>
        ) : null}
        <p className="fact">
          {order.place} · {words.lines(order.lines.length)}
          {due && order.ship_by && state !== "made" ? (
            <>
              {" · "}
              <span {...(due === "late" ? { className: "late" } : {})}>
                {words.shipBy[due](order.ship_by)}
              </span>
            </>
          ) : null}
        </p>
        <p className="fact">{words.billed(order.service, order.billed_to)}</p>
        <div className="links">
          <DownloadButton
            type={shipmentWords.slip}
            detail={words.forPo(po)}
            fileName={order.packing_slip_file}
            look="link"
            fetchDocument={(filename) => call(downloadPackingSlip, { params: { filename }, query: {} })}
          />
          {status === "open" &&
          (state === "ready" || state === "failed") &&
          order.cancellation_asked_at === null ? (
            <CancelButton order={order} />
          ) : null}
        </div>
      </div>
    </div>
  );
});

function Cartons({ order, status }: ListedOrder) {
  const store = useOrderStore();
  const { blocked, generate } = useCarrier();
  const po = order.po_number;
  const local = useLocalOrder(order.id);
  const state = readState({ order, status }, local);
  const isOpen = state === "ready";
  const cartons =
    isOpen || state === "failed" ? typedCartons(order, local) : sentCartons({ order, status }, local);
  const edit = useCallback(
    (change: (cartons: readonly CartonText[]) => readonly CartonText[]) =>
      store.change(order.id, { cartons: change(typedCartons(order, store.read(order.id))) }),
    [store, order],
  );
  const making = useRef<HTMLParagraphElement>(null);
  const [after, aroundOutcome] = useFirstControl();
  useFocusThrough(state === "making", { during: making, after });
  return (
    <>
      <OrderFlags order={order} />
      {/* Fields outside of forms are one form to a browser's autofill, which reads all of it at each keystroke. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Enter in a field of a form without a button */}
      <form
        onKeyDown={(event) => {
          if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
          event.preventDefault();
          if (blocked === null && canGenerate({ order, status }, local)) generate(order);
        }}
      >
        <CartonRows
          orderId={order.id}
          po={po}
          cartons={cartons}
          isLocked={!isOpen}
          isChecked={local.isChecked === true}
          onEdit={edit}
        />
        {(isOpen || state === "failed") && (cartons.length > 1 || local.packing) ? (
          <Suspense fallback={null}>
            <PackingGrid order={order} cartons={cartons.length} isLocked={!isOpen} />
          </Suspense>
        ) : null}
      </form>
      {isOpen && order.unknown_service !== null ? (
        <Suspense fallback={null}>
          <ServiceChoice order={order} />
        </Suspense>
      ) : null}
      {isOpen || state === "making" ? (
        <div className="foot">
          <Sum cartons={cartons} note={isAsLastTime(order, local) ? words.asLastTime : null} />
          {isOpen ? (
            <CartonTools
              order={order}
              cartons={cartons}
              isPacked={local.packing !== undefined}
              onEdit={edit}
            />
          ) : null}
          <span className="grow" />
          {isOpen ? (
            <Generate order={order} />
          ) : (
            <Making ref={making} count={cartons.length} wait={order.labels?.error ?? ""} />
          )}
        </div>
      ) : (
        <div ref={aroundOutcome} tabIndex={-1}>
          <OrderOutcome order={order} state={state} cartonCount={cartons.length} />
        </div>
      )}
    </>
  );
}

type CartonToolsProps = {
  order: OpenOrder;
  cartons: readonly CartonText[];
  /** Whether it shows what is in each carton. */
  isPacked: boolean;
  onEdit(change: (cartons: readonly CartonText[]) => readonly CartonText[]): void;
};

/** Copies a size to all cartons of several; of a single carton, shows what is in it. */
function CartonTools({ order, cartons, isPacked, onEdit }: CartonToolsProps) {
  const store = useOrderStore();
  const several = cartons.length > 1;
  if (!several && isPacked) return null;
  return (
    <button
      type="button"
      className="tool"
      onClick={() => (several ? onEdit(copySize) : store.change(order.id, { packing: {} }))}
    >
      <span>{several ? words.copy : words.shipLess}</span>
      <span style={visuallyHidden}>&nbsp;{words.ofPo(order.po_number)}</span>
    </button>
  );
}

/** Cartons of labels that are made, or being made. */
function sentCartons({ order }: ListedOrder, local: ReturnType<typeof useLocalOrder>): readonly CartonText[] {
  if (local.isPending || !order.labels) return typedCartons(order, local);
  return order.labels.cartons.map(toText);
}

type SumProps = { cartons: readonly CartonText[]; note: string | null };

function Sum({ cartons, note }: SumProps) {
  const warnings = cartons.flatMap((carton, index) =>
    warnOfSurcharges(carton).map((warning) =>
      cartons.length === 1 ? words.surcharges[warning] : words.ofCarton(index + 1, words.surcharges[warning]),
    ),
  );
  return (
    <div className="sum" role="status">
      <Total key={cartons.length} cartons={cartons} />
      {note === null ? null : <p className="fact">{note}</p>}
      {warnings.map((warning) => (
        <p key={warning} className="warn">
          {warning}
        </p>
      ))}
    </div>
  );
}

/** Follows once typing pauses: each change is read out, and costs a slow computer another layout. */
function Total({ cartons }: { cartons: readonly CartonText[] }) {
  const sum = sumCartons(useSettled(cartons));
  return (
    <p>
      <b>{words.sum(sum)}</b> · {words.weight(sum)}
    </p>
  );
}

/** The main action of the page while the order holds the focus. */
const Generate = memo(function Generate({ order }: Pick<ListedOrder, "order">) {
  const { blocked, generate } = useCarrier();
  const isMain = useIsMain(order.id);
  const reason = useId();
  if (order.waiting !== null || order.cancellation_asked_at !== null) return null;
  return (
    <>
      {blocked === null ? null : (
        <span id={reason} className="fact">
          {blocked}
        </span>
      )}
      <Button
        variant={isMain && blocked === null ? "contained" : "outlined"}
        disabled={blocked !== null}
        aria-describedby={blocked === null ? undefined : reason}
        onClick={() => generate(order)}
      >
        <span>{words.generate}</span>
        <span style={visuallyHidden}>&nbsp;{words.forPo(order.po_number)}</span>
      </Button>
    </>
  );
});

type MakingProps = { ref: Ref<HTMLParagraphElement>; count: number; wait: string };

function Making({ ref, count, wait }: MakingProps) {
  return (
    <p className="making" role="status" ref={ref} tabIndex={-1}>
      <CircularProgress aria-hidden="true" size={16} color="inherit" />
      {wait || words.generating(count)}
    </p>
  );
}
