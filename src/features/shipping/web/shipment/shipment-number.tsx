import { shipmentWords } from "#features/shipping/web/shipment/words.ts";
import { UpsNumber } from "#web/kit/ups-number.tsx";

/** "Shipment # 1Z…" in groups that are easy to read; copied, it has no spaces. */
export function ShipmentNumber({ of }: { of: string }) {
  return (
    <>
      {shipmentWords.number} <UpsNumber of={of} />
    </>
  );
}
