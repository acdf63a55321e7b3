import { splitShipment } from "#features/labels/web/shipment/rules.ts";
import { shipmentWords } from "#features/labels/web/shipment/words.ts";

/** "Shipment # 1Z…" in groups that are easy to read; copied, it has no spaces. */
export function ShipmentNumber({ of }: { of: string }) {
  return (
    <>
      {shipmentWords.number}{" "}
      <span style={{ whiteSpace: "nowrap" }}>
        {splitShipment(of).map((group, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- a group is known by its place alone
          <span key={index} style={index === 0 ? undefined : { marginLeft: "0.25em" }}>
            {group}
          </span>
        ))}
      </span>
    </>
  );
}
