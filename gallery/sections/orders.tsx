import type { OpenOrder, OpenOrders } from "#features/shipping/contract.ts";
import { CarrierTab } from "#features/shipping/web/carrier/carrier-tab.tsx";
import { sampleLabels, sampleOrder, sampleOrders } from "#features/shipping/web/carrier/fixtures/orders.ts";
import { openOrdersQuery } from "#features/shipping/web/shipment/queries.ts";
import { CarrierSettings } from "#features/shipping/web/settings/carrier-settings.tsx";
import { carrierSettingsQuery, noticeSettingsQuery } from "#features/shipping/web/settings/queries.ts";
import { Acted } from "../acted.tsx";
import {
  sampleCanceled,
  sampleNoticeSettings,
  samplePresets,
  sampleSettings,
  sampleWaiting,
} from "../sample-orders.ts";
import { Sample } from "../sample.tsx";
import { failure } from "../samples.ts";
import { acme, olive, type QuerySeed, Stage } from "../stage.tsx";
import { galleryWords } from "../words.ts";

const words = galleryWords.orders;
const { queryKey: key } = openOrdersQuery(acme.id);

/** It is fetched every few seconds, so it is shown while that goes on. */
const listIs = (more: Partial<OpenOrders>): QuerySeed => ({
  key,
  data: sampleOrders(more),
  isFetching: true,
});

/** An order of its own number, so that samples share no typed cartons. */
const order = (place: number, more: Partial<OpenOrder> = {}) =>
  sampleOrder({ po_number: String(8_841_200 + place), packing_slip_file: `slip-${place}.pdf`, ...more });

const fail = (correct: "address" | "account" | "settings" | null, error: string) =>
  sampleLabels({ state: "failed", correct, error });

const states: readonly { name: string; order: OpenOrder }[] = [
  { name: words.ready, order: order(1, { ship_by: "2020-11-24" }) },
  { name: words.waiting, order: order(2, { waiting: sampleWaiting }) },
  { name: words.making, order: order(3, { labels: sampleLabels() }) },
  {
    name: words.made,
    order: order(4, {
      cancellation_asked_at: words.time,
      labels: sampleLabels({ state: "made", shipment: "1Z999AA10123456784", label_file: "labels.pdf" }),
    }),
  },
  {
    name: words.checking,
    order: order(5, { labels: sampleLabels({ state: "checking", next_check_at: words.time }) }),
  },
  { name: words.asked, order: order(6, { labels: sampleLabels({ state: "asked" }) }) },
  { name: words.failed, order: order(7, { labels: fail("address", words.error) }) },
  { name: words.account, order: order(8, { labels: fail("account", words.accountError) }) },
];

const lists: readonly { name: string; seeds: QuerySeed }[] = [
  { name: words.loading, seeds: { key, isFetching: true } },
  { name: words.unreadable, seeds: { key, error: failure } },
  { name: words.empty, seeds: listIs({}) },
  { name: words.blocked, seeds: listIs({ open: [order(9)], blocked: "not_connected", account_ending: "" }) },
  { name: words.noShipFrom, seeds: listIs({ blocked: "no_ship_from" }) },
];

/** The carrier tab with orders in every state. */
export function OrdersSection() {
  return (
    <>
      <Sample name={words.states}>
        <Stage seeds={[listIs({ open: states.map((each) => each.order), presets: samplePresets })]}>
          <CarrierTab company={acme} />
        </Stage>
      </Sample>
      {lists.map(({ name, seeds }) => (
        <Sample key={name} name={name}>
          <Stage seeds={[seeds]}>
            <CarrierTab company={acme} />
          </Stage>
        </Sample>
      ))}
    </>
  );
}

/** Orders that a user works on: faults, a selection, an address, a number, canceled ones, a due notice. */
export function WorkedOrdersSection() {
  return (
    <>
      <Sample name={words.worked}>
        <Acted act={work}>
          <Stage
            seeds={[
              listIs({
                open: [
                  order(11),
                  order(12),
                  order(13, { labels: fail("address", words.error) }),
                  order(14, { labels: sampleLabels({ state: "asked" }) }),
                ],
                cancelled: sampleCanceled,
                due_notices: [words.notice],
              }),
            ]}
          >
            <CarrierTab company={acme} />
          </Stage>
        </Acted>
      </Sample>
      {[olive, { ...olive, isCompanyAdmin: false }].map((session) => (
        <Sample
          key={String(session.isCompanyAdmin)}
          name={session.isCompanyAdmin ? words.settings : words.settingsText}
        >
          <Stage
            session={session}
            seeds={[
              { key: carrierSettingsQuery(acme.id).queryKey, data: sampleSettings },
              { key: noticeSettingsQuery(acme.id).queryKey, data: sampleNoticeSettings },
            ]}
          >
            <CarrierSettings company={acme} />
          </Stage>
        </Sample>
      ))}
    </>
  );
}

function work(root: HTMLElement) {
  const press = (text: string) =>
    [...root.querySelectorAll("button")].find(({ textContent }) => textContent.startsWith(text))?.click();
  press(words.press.add);
  press(words.press.address);
  press(words.press.number);
  root.querySelector<HTMLInputElement>("article input[type=checkbox]")?.click();
}
