import { MAX_CARTONS } from "#features/shipping/contract.ts";
import { useCarrier } from "#features/shipping/web/carrier/carrier-context.ts";
import { useOrderStore } from "#features/shipping/web/carrier/order-store.ts";
import {
  CARTON_FIELDS,
  type CartonFaults,
  type CartonField,
  type CartonText,
  checkCarton,
  newCarton,
  toText,
} from "#features/shipping/web/shipment/rules-cartons.ts";
import { fieldId, focusField } from "#features/shipping/web/carrier/typed-cartons.ts";
import { orderWords as words } from "#features/shipping/web/carrier/words.ts";
import { Icon } from "#web/kit/icon.tsx";
import { visuallyHidden } from "#web/kit/visually-hidden.ts";
import { Plus, Trash2 } from "lucide-react";
import { memo, useMemo, useState } from "react";

type Props = {
  orderId: string;
  po: string;
  cartons: readonly CartonText[];
  /** While labels are made, and afterwards. */
  isLocked: boolean;
  /** Whether every fault is shown, and not only those of fields that were left. */
  isChecked: boolean;
  /** Always the same function, so that typing in a carton draws that one only. */
  onEdit: (edit: (cartons: readonly CartonText[]) => readonly CartonText[]) => void;
};

/** One line for each carton of an order; there is always at least one. */
export function CartonRows({ orderId, po, cartons, isLocked, isChecked, onEdit }: Props) {
  const store = useOrderStore();
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const actions = useMemo<Actions>(() => {
    const focusLength = (index: number) => focusField(fieldId(orderId, index, "length"));
    return {
      change: (index, part) =>
        onEdit((before) => before.map((carton, at) => (at === index ? { ...carton, ...part } : carton))),
      add: (index) => {
        onEdit((before) => [...before, newCarton()]);
        focusLength(index);
      },
      remove: (index) => {
        const omit = <Each,>(list: readonly Each[]) => list.filter((_, at) => at !== index);
        onEdit(omit);
        // Quantities are known by the place of their carton.
        const { packing } = store.read(orderId);
        const packed = Object.entries(packing?.packed ?? {}).map(([line, texts]) => [line, omit(texts)]);
        if (packed.length > 0)
          store.change(orderId, { packing: { ...packing, packed: Object.fromEntries(packed) } });
        // Fields that were left are known by their place, which now belongs to another carton.
        setLeft(new Set());
        focusLength(Math.max(0, index - 1));
      },
      leave: (id) => setLeft((before) => (before.has(id) ? before : new Set([...before, id]))),
    };
  }, [orderId, onEdit, store]);
  return cartons.map((carton, index) => (
    <CartonRow
      // oxlint-disable-next-line react/no-array-index-key -- a carton is known by its place alone
      key={index}
      {...{ orderId, po, carton, index, isLocked, isChecked, left, actions }}
      count={cartons.length}
    />
  ));
}

type Actions = {
  change: (index: number, part: Partial<CartonText>) => void;
  /** Adds a carton after the others. @param index its place */
  add: (index: number) => void;
  remove: (index: number) => void;
  leave: (id: string) => void;
};

type RowProps = Pick<Props, "orderId" | "po" | "isLocked" | "isChecked"> & {
  carton: CartonText;
  index: number;
  /** Cartons of the order. */
  count: number;
  /** Ids of fields that had the focus. */
  left: ReadonlySet<string>;
  actions: Actions;
};

const CartonRow = memo(function CartonRow(props: RowProps) {
  const { orderId, po, carton, index, count, isLocked, isChecked, left, actions } = props;
  const id = (field: CartonField) => fieldId(orderId, index, field);
  const faults = isLocked ? {} : checkCarton(carton);
  const shown: CartonFaults = Object.fromEntries(
    CARTON_FIELDS.filter((field) => faults[field] && (isChecked || left.has(id(field)))).map((field) => [
      field,
      faults[field],
    ]),
  );
  return (
    <div className="carton" role="group" aria-label={words.carton(index + 1)}>
      <span className="place" aria-hidden="true">
        {index + 1}
      </span>
      <Box {...{ carton, index, isLocked, actions }} />
      {CARTON_FIELDS.map((field) => (
        <label key={field}>
          <span>{words.fields[field]}</span>
          <span className="field" data-unit={words.units[field]}>
            <input
              id={id(field)}
              type="text"
              inputMode="decimal"
              autoComplete="off"
              maxLength={10}
              value={carton[field]}
              disabled={isLocked}
              {...(shown[field] ? { "aria-invalid": true, "aria-describedby": `${id(field)}-fault` } : {})}
              onChange={({ target }) => actions.change(index, { [field]: target.value })}
              onBlur={() => actions.leave(id(field))}
            />
          </span>
        </label>
      ))}
      <div className="buttons">{isLocked ? null : <RowButtons {...{ po, index, count, actions }} />}</div>
      <Faults faults={shown} id={id} />
    </div>
  );
});

function Faults({ faults, id }: { faults: CartonFaults; id: (field: CartonField) => string }) {
  const entries = CARTON_FIELDS.flatMap((field) => {
    const fault = faults[field];
    return fault ? [{ field, fault }] : [];
  });
  if (entries.length === 0) return null;
  return (
    <p className="faults">
      {entries.map(({ field, fault }) => (
        <span key={field} id={`${id(field)}-fault`}>
          {words.fault(field, fault)}{" "}
        </span>
      ))}
    </p>
  );
}

type ButtonsProps = Pick<RowProps, "po" | "index" | "count" | "actions">;

/** Not drawn again while the carton is typed. */
const RowButtons = memo(function RowButtons({ po, index, count, actions }: ButtonsProps) {
  return (
    <>
      {count > 1 ? (
        <button type="button" className="tool" onClick={() => actions.remove(index)}>
          <Icon of={Trash2} size="small" />
          <span>{words.delete}</span>
          <span style={visuallyHidden}>&nbsp;{words.deleteCarton(index + 1, po)}</span>
        </button>
      ) : null}
      {index === count - 1 && count < MAX_CARTONS ? (
        <button type="button" className="tool box" onClick={() => actions.add(count)}>
          <Icon of={Plus} size="small" />
          <span>{words.add}</span>
          <span style={visuallyHidden}>&nbsp;{words.addCarton(po)}</span>
        </button>
      ) : null}
    </>
  );
});

type BoxProps = Pick<RowProps, "carton" | "index" | "isLocked" | "actions">;

const SIZE = ["length", "width", "height"] as const;

/** The name of the carton's size among the company's usual ones, to choose another; nothing where it has none. */
function Box({ carton, index, isLocked, actions }: BoxProps) {
  const { presets } = useCarrier();
  if (presets.length === 0) return null;
  const texts = presets.map((preset) => ({ name: preset.name, text: toText(preset.carton) }));
  const current = texts.find(({ text }) => SIZE.every((side) => Number(text[side]) === Number(carton[side])));
  return (
    <label className="preset">
      <span>{words.box}</span>
      <select
        value={current?.name ?? ""}
        disabled={isLocked}
        onChange={({ target }) => {
          const chosen = texts.find(({ name }) => name === target.value);
          if (chosen) actions.change(index, chosen.text);
        }}
      >
        <option value="" disabled={current !== undefined}>
          {words.ownSize}
        </option>
        {presets.map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
