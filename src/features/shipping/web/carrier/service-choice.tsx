import type { OpenOrder } from "#features/shipping/contract.ts";
import { useCarrier } from "#features/shipping/web/carrier/carrier-context.ts";
import { useLocalOrder, useOrderStore } from "#features/shipping/web/carrier/order-store.ts";
import { serviceWords as words } from "#features/shipping/web/carrier/words-rare.ts";
import { SelectField } from "#web/kit/select-field.tsx";

/** Asks for UPS's service of an order whose retailer names one that isn't known. */
export function ServiceChoice({ order }: { order: OpenOrder }) {
  const store = useOrderStore();
  const { services } = useCarrier();
  const { service = "" } = useLocalOrder(order.id);
  return (
    <div style={{ display: "grid", gap: 4 }}>
      <p className="warn">{words.unknown(order.unknown_service ?? "")}</p>
      <SelectField
        label={words.label(order.po_number)}
        labelAt="above"
        value={service}
        options={[
          { value: "", label: words.choose },
          ...services.map(({ code, name }) => ({ value: code, label: name })),
        ]}
        onChange={(chosen) => store.change(order.id, { service: chosen === "" ? undefined : chosen })}
      />
    </div>
  );
}
