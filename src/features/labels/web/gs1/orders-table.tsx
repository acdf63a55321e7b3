import type { LabelUploadView } from "#features/labels/contract.ts";
import { labelWords } from "#features/labels/web/words.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { formatCount } from "#web/kit/format.ts";
import { TableHeads } from "#web/kit/tables/table-heads.tsx";
import { visuallyHidden } from "#web/kit/visually-hidden.ts";
import { typeScale } from "#web/theme/type-scale.ts";
import { styled } from "@mui/material/styles";

const words = labelWords.result;

const Scroll = styled("div")({ overflow: "auto", maxHeight: "50vh", marginTop: 28 });

const Table = styled("table")(({ theme }) => ({
  width: "100%",
  borderCollapse: "collapse",
  "& th, & td": {
    padding: "4px 12px",
    ...typeScale.table,
    textAlign: "left",
    borderBottom: "1px solid",
    borderBottomColor: (theme.vars ?? theme).palette.divider,
  },
  "& thead th": { ...typeScale.caption, fontWeight: 700, color: (theme.vars ?? theme).palette.text.caption },
  "& :is(th, td):nth-of-type(1)": { paddingLeft: 0 },
  "& tbody th": { fontWeight: 700 },
  "& thead th:nth-of-type(2), & td:nth-of-type(1)": {
    paddingLeft: 12,
    textAlign: "right",
    fontVariantNumeric: "tabular-nums",
  },
  "& td:nth-of-type(2)": { color: (theme.vars ?? theme).palette.text.secondary },
  "& td:last-of-type": { paddingRight: 0, textAlign: "right" },
  // Two lines an order: its number and the button, its range and how many.
  [theme.breakpoints.down("sm")]: {
    position: "relative",
    "&, & tbody": { display: "block" },
    "& thead": { ...visuallyHidden, display: "block" },
    "& tbody tr": {
      display: "grid",
      gridTemplate: '"order button" "range count" / minmax(0, 1fr) auto',
      alignItems: "center",
      columnGap: 12,
      paddingBlock: 4,
      borderBottom: `1px solid ${(theme.vars ?? theme).palette.divider}`,
    },
    "& tbody :is(th, td)": { border: 0, padding: 0, overflowWrap: "anywhere" },
    "& tbody th": { gridArea: "order" },
    "& td:nth-of-type(1)": { gridArea: "count" },
    "& td:nth-of-type(2)": { gridArea: "range" },
    "& td:nth-of-type(3)": { gridArea: "button" },
  },
}));

type Props = {
  upload: LabelUploadView;
  /** The order that is being printed; null for none. */
  busy: string | null;
  onReprint: (poNumber: string) => void;
};

/** Labels by purchase order. */
export function OrdersTable({ upload, busy, onReprint }: Props) {
  return (
    <Scroll role="region" aria-label={words.table} tabIndex={0}>
      <Table aria-label={words.table}>
        <TableHeads heads={words.heads} />
        <tbody>
          {upload.orders.map(({ po_number: po, count, first_sscc: first, last_sscc: last }) => (
            <tr key={po}>
              <th scope="row">{po}</th>
              <td>{formatCount(count)}</td>
              <td>{words.range(first, last)}</td>
              <td>
                <BusyButton
                  variant="text"
                  size="small"
                  label={words.reprint}
                  detail={words.reprintOf(po)}
                  isBusy={busy === po}
                  onClick={() => onReprint(po)}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Scroll>
  );
}
