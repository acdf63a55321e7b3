import {
  downloadLabelFile,
  downloadPackingSlip,
  type MadeLabels,
  printShipments,
} from "#features/shipping/contract.ts";
import { usePrint } from "#features/shipping/web/shipment/queries.ts";
import { historyWords as words } from "#features/shipping/web/history/words.ts";
import { VoidButton } from "#features/shipping/web/history/void-button.tsx";
import { NoticeLine } from "#features/shipping/web/shipment/notice-line.tsx";
import { ShipmentNumber } from "#features/shipping/web/shipment/shipment-number.tsx";
import { shipmentWords } from "#features/shipping/web/shipment/words.ts";
import { call } from "#web/kit/api-client.ts";
import { boot } from "#web/kit/boot.ts";
import { SubmitButton } from "#web/kit/busy-button.tsx";
import { Chip } from "#web/kit/chip.tsx";
import { DownloadButton } from "#web/kit/document-buttons.tsx";
import { Icon } from "#web/kit/icon.tsx";
import { LinkButton, TextLink } from "#web/kit/text-link.tsx";
import { UpsNumber } from "#web/kit/ups-number.tsx";
import { Check, Clock, Printer, Truck, X } from "lucide-react";
import { memo } from "react";

type Props = { realmId: string; labels: MadeLabels };
type RowProps = Props & {
  isSelected: boolean;
  onSelect: (id: string, isSelected: boolean) => void;
  /** Searches the labels of a shipment. */
  onFind: (number: string) => void;
};

/** Whether UPS takes the labels, and will. */
export const canPrint = ({ state, is_voiding: isVoiding }: MadeLabels): boolean =>
  state !== "voided" && !isVoiding;

/** Labels of one shipment. */
export const HistoryRow = memo(function HistoryRow(props: RowProps) {
  const { realmId, labels, isSelected, onSelect, onFind } = props;
  const { po_number: po, state, voided_at: voidedAt } = labels;
  const isVoided = state === "voided";
  return (
    <tr {...(isVoided ? { className: "gone" } : {})}>
      <th scope="row">
        {/* The order is the row's name, so its checkbox follows it. */}
        <div className="order">
          <div>
            <b>{words.order(po)}</b> {words.customer(labels.customer_name)}
            <span className="fact">
              {isVoided && voidedAt !== null
                ? words.voidedAt(voidedAt, labels.voided_by)
                : words.madeAt(labels.ship_date)}
            </span>
          </div>
          <label className="check">
            <input
              type="checkbox"
              aria-label={words.select(po)}
              checked={isSelected && canPrint(labels)}
              disabled={!canPrint(labels)}
              onChange={({ target }) => onSelect(labels.id, target.checked)}
            />
          </label>
        </div>
      </th>
      <td>
        {isVoided ? (
          <s>
            <ShipmentNumber of={labels.shipment} />
          </s>
        ) : (
          <ShipmentNumber of={labels.shipment} />
        )}
        <span className="fact">
          {words.cartons(labels.carton_count)}
          {isVoided ? null : ` · ${words.billed(labels.cost, labels.billed_to)}`}
        </span>
      </td>
      <td>
        <State labels={labels} />
        {state === "partly_voided" && voidedAt !== null ? (
          <span className="fact">{words.lastVoidedAt(voidedAt, labels.voided_by)}</span>
        ) : null}
        {isVoided && labels.is_notified ? (
          <span className="fact">{words.notifiedVoid(labels.billed_to ?? boot.retailer)}</span>
        ) : null}
        {labels.notice && !isVoided ? <NoticeLine kind="ship" notice={labels.notice} /> : null}
        {labels.cancellation_asked_at === null ? null : (
          <span className="fact">{words.canceledByRetailer}</span>
        )}
      </td>
      <td>
        {isVoided ? (
          <div className="actions">
            <span className="open">
              <AfterVoid labels={labels} onFind={onFind} />
            </span>
          </div>
        ) : labels.is_voiding ? null : (
          <Actions realmId={realmId} labels={labels} />
        )}
      </td>
    </tr>
  );
});

/** Leads to the labels that replaced voided ones, or to the order that still needs some; a canceled order needs none. */
function AfterVoid({ labels, onFind }: Pick<RowProps, "labels" | "onFind">) {
  const { new_shipment: number, po_number: po } = labels;
  if (number !== null)
    return (
      <>
        {words.newLabels}{" "}
        <LinkButton type="button" onClick={() => onFind(number)}>
          <UpsNumber of={number} />
        </LinkButton>
      </>
    );
  return labels.is_order_open ? (
    <TextLink to={`?ups=1&po=${encodeURIComponent(po)}`}>{words.makeNew}</TextLink>
  ) : null;
}

const DAY_MS = 24 * 60 * 60 * 1_000;
/** UPS scans a package on the day of its pickup, or the next one. */
const LATE_DAYS = 2;

function State({ labels }: Pick<Props, "labels">) {
  const { state, package_state: packageState, ship_date: shipDate } = labels;
  if (labels.is_voiding) return <Chip tone="amber">{words.states.voiding}</Chip>;
  if (state === "voided")
    return (
      <Chip tone="plain" icon={X}>
        {labels.is_voided_at_ups ? words.states.voidedAtUps : words.states.voided}
      </Chip>
    );
  if (state === "partly_voided") return <Chip tone="amber">{words.states.partly_voided}</Chip>;
  if (packageState === null) return null;
  if (packageState === "delivered")
    return (
      <Chip tone="gray" icon={Check}>
        {words.states.delivered}
      </Chip>
    );
  if (labels.scanned_at !== null)
    return (
      <Chip tone="green" icon={Truck}>
        {words.states.moving}
      </Chip>
    );
  const days = Math.floor((Date.now() - Date.parse(shipDate)) / DAY_MS);
  if (days >= LATE_DAYS) return <Chip tone="amber">{words.states.stale(days)}</Chip>;
  return (
    <Chip tone="plain" icon={Clock}>
      {words.states.unscanned}
    </Chip>
  );
}

function Actions({ realmId, labels }: Props) {
  const { po_number: po, id, prints } = labels;
  const print = usePrint(realmId, () => call(printShipments, { body: { ids: [id] }, realmId }));
  return (
    <div className="actions">
      <DownloadButton
        type={shipmentWords.slip}
        detail={shipmentWords.forPo(po)}
        fileName={labels.packing_slip_file}
        look="quiet"
        fetchDocument={(filename) => call(downloadPackingSlip, { params: { filename }, query: { id } })}
      />
      <SubmitButton
        variant="text"
        size="small"
        startIcon={<Icon of={Printer} size="small" />}
        label={prints > 0 ? words.reprint : words.print}
        detail={words.printDetail(po)}
        isBusy={print.isPending}
        error={print.error}
        onClick={() => print.mutate()}
      />
      <DownloadButton
        type={shipmentWords.currentLabel}
        detail={shipmentWords.forPo(po)}
        fileName={labels.label_file}
        look="quiet"
        fetchDocument={(filename) => call(downloadLabelFile, { params: { filename } })}
      />
      {labels.can_void ? (
        <VoidButton realmId={realmId} labels={labels} />
      ) : (
        <span className="why">{explainNoVoid(labels)}</span>
      )}
    </div>
  );
}

function explainNoVoid({ package_state: packageState, scanned_at: scannedAt }: MadeLabels): string {
  if (packageState === "delivered") return words.whyNot.delivered;
  return scannedAt === null ? words.whyNot.other : words.whyNot.moving;
}
