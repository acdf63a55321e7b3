/** Texts of a UPS shipment. */
export const shipmentWords = {
  number: "Shipment #",
  slip: "Packing Slip",
  currentLabel: "Current UPS Label",
  forPo: (po: string) => `for PO # ${po}`,
} as const;
