import { CUSTOMER } from "#features/orders/contract.ts";
import type { Partner } from "#features/orders/partners/partner.ts";

/** The home-improvement retailer of the specification, whose orders come through CommerceHub. */
export const retailer: Partner = {
  id: CUSTOMER,
  senders: [],
  services: {
    UPSN_CG: "03",
    UNSP_CG: "03",
    UPSET_CG: "03",
    UPSG: "03",
    UG: "03",
    UPSN_3D: "12",
    UPS3: "12",
    UPSN_SE: "02",
    UPSN_SC: "02",
    UB: "02",
    UPSN_ND: "01",
    UPSET_ND: "01",
    UNSP_ND: "01",
    UPND: "01",
    UPSN_PM: "13",
  },
  defaultService: "03",
  billing: "third_party",
  cancelReasons: [
    { id: "out_of_stock", name: "Out of stock" },
    { id: "discontinued", name: "Discontinued" },
    { id: "bad_address", name: "The address can't be delivered to" },
    { id: "item_setup", name: "The item is set up wrong" },
    { id: "merchant_request", name: "Asked for by the retailer" },
  ],
  references: { customerOrder: "CO", cancelAfter: "001", shipBy: ["010", "064", "038", "037"] },
  notices: { cancel: "856", ship: "856" },
  xmlNotices: { cancel: "v_cancel", ship: "v_ship" },
  x12: { qualifier: "ZZ", id: "RETAILER", version: "004060" },
  slip: {
    thanks: "Thank you for your order.",
    footer:
      "Questions about this order? Contact the store where you bought it, and name the order number above.",
  },
};
