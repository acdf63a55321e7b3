import type { CanceledOrder, CarrierSettings, OpenOrder, OpenOrders } from "#features/shipping/contract.ts";
import type { NoticeSettings } from "#features/orders/notices-out/contract.ts";

/** A different order under the number of a stored one. */
export const sampleWaiting: OpenOrder["waiting"] = {
  received_at: "2026-11-25T10:00:00Z",
  differences: [
    { what: "Quantity of line 2", now: "4", new: "6" },
    { what: "Ship to", now: "1140 Elm St", new: "1140 Oak St" },
  ],
};

export const samplePresets: OpenOrders["presets"] = [
  { name: "Small box", carton: { length: 12, width: 9, height: 4, weight: 1 } },
];

/** One that can be restored, and one that the retailer was notified of. */
export const sampleCanceled: CanceledOrder[] = [
  {
    po_number: "8841177",
    retailer: "Retailer",
    customer_name: "Sam Whitlock",
    cancelled_at: "2026-11-20T15:18:00Z",
    packing_slip_file: "slip.pdf",
    id: "0198c0de-0000-7000-8000-000000000077",
    cancelled_by: "olive@acme.example",
    can_restore: true,
    notice: {
      id: "0198c0de-0000-7000-8000-000000000177",
      state: "pending",
      at: "2026-11-21T01:00:00Z",
      problems: [],
    },
  },
  {
    po_number: "8841102",
    retailer: "Retailer",
    customer_name: "Iris Coleman",
    cancelled_at: "2026-11-17T11:02:00Z",
    packing_slip_file: "slip.pdf",
    id: "0198c0de-0000-7000-8000-000000000102",
    cancelled_by: "olive@acme.example",
    can_restore: false,
    notice: {
      id: "0198c0de-0000-7000-8000-000000000202",
      state: "rejected",
      at: "2026-11-18T02:10:00Z",
      problems: ['Segment 4, TD102 ("1"): error 7.'],
    },
  },
];

export const sampleNoticeSettings: NoticeSettings & { time_zone: string } = {
  cut_off: "17:00",
  sender_id: "",
  time_zone: "America/New_York",
};

export const sampleSettings: CarrierSettings & { cancel_reasons: { id: string; name: string }[] } = {
  ship_from: {
    name: "Acme Tools",
    phone: "7755550100",
    line: "1 Dock Rd",
    city: "Reno",
    state: "NV",
    zip: "89506",
  },
  label_format: "pdf",
  slip_paper: "letter",
  billing: "third_party",
  billing_account: "1A2B3C",
  billing_zip: "30339",
  vendor_number: "60012345",
  cancel_reason: "out_of_stock",
  presets: [{ name: "Small box", carton: { length: 12, width: 9, height: 4, weight: 1 } }],
  cancel_reasons: [{ id: "out_of_stock", name: "Out of stock" }],
};
