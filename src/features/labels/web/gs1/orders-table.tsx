import { resultWords } from "#features/labels/web/gs1/words.ts";
import type { LabelUploadView } from "#features/labels/contract.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { formatCount } from "#web/kit/format.ts";
import { TextTable } from "#web/kit/tables.tsx";

const words = resultWords;

type Props = {
  upload: LabelUploadView;
  /** The order being printed; null for none. */
  busy: string | null;
  onReprint: (poNumber: string) => void;
};

/** Labels by purchase order. */
export function OrdersTable({ upload, busy, onReprint }: Props) {
  return (
    <TextTable label={words.table} heads={words.heads}>
      {upload.orders.map(({ po_number: po, count, first_sscc: first, last_sscc: last }) => (
        <tr key={po}>
          <th scope="row" style={{ overflowWrap: "anywhere" }}>
            {po}
          </th>
          <td data-head={words.heads[1]} style={{ fontVariantNumeric: "tabular-nums" }}>
            {formatCount(count)}
          </td>
          <td data-head={words.heads[2]}>{words.range(first, last)}</td>
          <td>
            <BusyButton
              variant="text"
              size="small"
              label={words.reprint}
              detail={words.reprintOrder(po)}
              isBusy={busy === po}
              onClick={() => onReprint(po)}
            />
          </td>
        </tr>
      ))}
    </TextTable>
  );
}
