import type { MadeLabels } from "#features/shipping/contract.ts";
import { HistoryTab } from "#features/shipping/web/history/history-tab.tsx";
import { sampleShipment } from "#features/shipping/web/history/fixtures/shipments.ts";
import { shipmentsQuery } from "#features/shipping/web/history/queries.ts";
import { VoidDialog } from "#features/shipping/web/history/void-button.tsx";
import { sampleCanceled } from "../sample-orders.ts";
import { Sample } from "../sample.tsx";
import { failure } from "../samples.ts";
import { acme, type QuerySeed, Stage } from "../stage.tsx";
import { galleryWords } from "../words.ts";

const words = galleryWords.history;
const { queryKey: key } = shipmentsQuery(acme.id, { show: "all", search: "" });

const listIs = (labels: readonly MadeLabels[], next: string | null = null): QuerySeed => ({
  key,
  data: { pages: [{ labels, next, counts: words.counts }], pageParams: [null] },
});

const rows: readonly MadeLabels[] = [
  sampleShipment({ notice: sampleCanceled[1]?.notice ?? null }),
  sampleShipment({
    po_number: "8841170",
    package_state: "in_transit",
    scanned_at: words.time,
    can_void: false,
    prints: 1,
    carton_count: 1,
  }),
  sampleShipment({
    po_number: "8841166",
    package_state: "delivered",
    scanned_at: words.time,
    can_void: false,
    prints: 2,
  }),
  sampleShipment({
    po_number: "8841160",
    package_state: null,
    can_void: false,
    cost: "$11.84",
    billed_to: null,
  }),
  sampleShipment({ po_number: "8841151", state: "partly_voided", package_state: null }),
  sampleShipment({ po_number: "8841149", state: "voided", voided_at: words.time, voided_by: words.user }),
];

/** The History tab: every state of labels, and the list's own. */
export function HistorySection() {
  return (
    <>
      {[
        { name: words.states, seeds: listIs(rows, words.time) },
        { name: words.empty, seeds: listIs([]) },
        { name: words.loading, seeds: { key, isFetching: true } },
        { name: words.failed, seeds: { key, error: failure } },
      ].map(({ name, seeds }) => (
        <Sample key={name} name={name}>
          <Stage seeds={[seeds]}>
            <HistoryTab company={acme} />
          </Stage>
        </Sample>
      ))}
    </>
  );
}

/** The question before a void, of labels that the retailer was notified of. */
export function VoidAsked() {
  return <VoidDialog labels={sampleShipment({ is_notified: true })} onKeep={leave} onVoid={leave} />;
}

function leave() {}
