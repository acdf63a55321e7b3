import type { OpenOrder } from "#features/shipping/contract.ts";
import { useLocalOrder, useOrderStore } from "#features/shipping/web/carrier/order-store.ts";
import {
  countLeft,
  countPacked,
  findPackingFault,
  listOpenLines,
  type Packing,
  readPacking,
  typedPacking,
} from "#features/shipping/web/carrier/rules-packing.ts";
import { packingWords as words } from "#features/shipping/web/carrier/words-rare.ts";
import { fieldLook } from "#web/kit/text-input.tsx";
import { visuallyHidden } from "#web/kit/visually-hidden.ts";
import { styled } from "@mui/material/styles";
import { radii, typeScale } from "#web/theme/type-scale.ts";
import { useId } from "react";

type Props = { order: OpenOrder; cartons: number; isLocked: boolean };

/** Which pieces are in which carton, proposed evenly; a line that is not fully packed asks what becomes of the rest. */
export function PackingGrid({ order, cartons, isLocked }: Props) {
  const store = useOrderStore();
  const local = useLocalOrder(order.id);
  const { packed, cancelsRest = [] } = typedPacking(order, local.packing);
  const id = useId();
  const lines = listOpenLines(order);
  const packing = readPacking(order, packed, cartons);
  const fault = findPackingFault(order, packing, cartons);
  const places = Array.from({ length: cartons }, (_, at) => at);
  const change = (part: Partial<Packing>) =>
    store.change(order.id, {
      packing: { part: order.next_shipment, packed: packing, cancelsRest, ...part },
    });
  const type = (line: string, at: number, text: string) =>
    change({
      packed: { ...packing, [line]: (packing[line] ?? []).map((old, place) => (place === at ? text : old)) },
    });
  const decide = (line: string, cancels: boolean) =>
    change({ cancelsRest: [...cancelsRest.filter((each) => each !== line), ...(cancels ? [line] : [])] });
  const isShown = fault !== null && (local.isChecked === true || fault.fault !== "empty");
  return (
    <Grid aria-labelledby={id}>
      <caption id={id}>{words.caption(cartons)}</caption>
      <thead>
        <tr>
          <th scope="col">{words.item}</th>
          <th scope="col" className="number">
            {words.left}
          </th>
          {places.map((at) => (
            <th key={at} scope="col" className="number">
              <span style={visuallyHidden}>{words.carton}</span> {at + 1}
            </th>
          ))}
          <th scope="col" className="number">
            {words.packed}
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ line, sku, description, open }) => {
          const texts = packing[line] ?? [];
          const count = countPacked(texts);
          const rest = countLeft(open, texts);
          return [
            <tr key={line}>
              <th scope="row">
                <b>{sku}</b> {description}
              </th>
              <td className="number" data-head={words.left}>
                {open}
              </td>
              {places.map((at) => (
                <td key={at} className="number" data-head={words.inCarton(at + 1)}>
                  <input
                    type="text"
                    inputMode="decimal"
                    autoComplete="off"
                    maxLength={10}
                    aria-label={words.ofIn(sku, at + 1)}
                    aria-invalid={fault?.line === line && fault.at === at ? true : undefined}
                    value={texts[at] ?? ""}
                    disabled={isLocked}
                    onChange={({ target }) => type(line, at, target.value)}
                  />
                </td>
              ))}
              <td className="number" data-head={words.packed}>
                {rest === 0 ? words.all : words.some(count, open)}
              </td>
            </tr>,
            rest > 0 && count >= 0 && !isLocked ? (
              <tr key={`${line}-rest`} className="rest">
                <td colSpan={cartons + 3}>
                  <fieldset>
                    <legend>{words.ship(count, open)}</legend>
                    {[false, true].map((cancels) => (
                      <label key={String(cancels)}>
                        <input
                          type="radio"
                          name={`${id}-${line}`}
                          checked={cancelsRest.includes(line) === cancels}
                          onChange={() => decide(line, cancels)}
                        />
                        {cancels ? words.cancelRest(rest) : words.keepRest(rest)}
                      </label>
                    ))}
                  </fieldset>
                </td>
              </tr>
            ) : null,
          ];
        })}
      </tbody>
      {isShown ? (
        <tfoot>
          <tr>
            <td colSpan={cartons + 3}>
              <span className="fault" role="alert">
                {words.fault(
                  fault,
                  lines.find(({ line }) => line === fault.line),
                )}
              </span>
            </td>
          </tr>
        </tfoot>
      ) : null}
    </Grid>
  );
}

const Grid = styled("table")(({ theme }) => {
  const { palette } = theme.vars ?? theme;
  return {
    width: "100%",
    marginTop: 12,
    borderCollapse: "collapse",
    ...typeScale.table,
    "& caption": { textAlign: "left", ...typeScale.caption, color: palette.text.caption },
    "& thead th": { ...typeScale.caption, color: palette.text.caption, fontWeight: 400, textAlign: "left" },
    "& th, & td": {
      padding: "4px 6px",
      borderBottom: `1px solid ${palette.divider}`,
      verticalAlign: "middle",
    },
    "& tbody th": { fontWeight: 400, textAlign: "left", overflowWrap: "anywhere" },
    "& .number": { textAlign: "right", whiteSpace: "nowrap", fontVariantNumeric: "tabular-nums" },
    "& td input[type=text]": {
      ...fieldLook(theme),
      width: 64,
      minHeight: 32,
      padding: "0 8px",
      textAlign: "right",
      borderRadius: radii.control,
    },
    "& .rest td": { backgroundColor: palette.background.sunken },
    "& fieldset": {
      display: "flex",
      flexWrap: "wrap",
      alignItems: "center",
      gap: "4px 16px",
      margin: 0,
      padding: 0,
      border: 0,
    },
    "& legend": { float: "left", padding: 0, fontWeight: 700 },
    "& fieldset label": { display: "inline-flex", alignItems: "center", gap: 6, minHeight: 32 },
    "& .fault": { color: palette.status.red.ink },
    [theme.breakpoints.down("sm")]: {
      "&, & thead, & tbody, & tfoot, & tr, & th, & td, & caption": { display: "block" },
      "& thead": visuallyHidden,
      "& tr": { borderBottom: `1px solid ${palette.divider}`, padding: "8px 0" },
      "& th, & td": { border: 0 },
      "& td.number": { display: "flex", justifyContent: "space-between", alignItems: "center", gap: 12 },
      "& td.number::before": { content: "attr(data-head)", color: palette.text.caption },
      "& td input[type=text]": { width: 96, minHeight: 44, fontSize: "1rem" },
    },
  };
});
