import type { OpenOrder } from "#features/shipping/contract.ts";
import { useCarrier } from "#features/shipping/web/carrier/carrier-context.ts";
import { refreshOrders } from "#features/shipping/web/shipment/queries.ts";
import { orderWords, stateWords } from "#features/shipping/web/carrier/words.ts";
import { addressWords as words } from "#features/shipping/web/carrier/words-rare.ts";
import { correctAddress } from "#features/orders/contract.ts";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { ErrorBlock } from "#web/kit/error-block.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { takeFocus } from "#web/kit/focus.ts";
import { TextInput } from "#web/kit/text-input.tsx";
import Box from "@mui/material/Box";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";

const LINES = [0, 1, 2] as const;

type ShipTo = OpenOrder["ship_to"];
type Props = { order: OpenOrder; onClose: () => void; onSaved: () => void };

/** Corrects the ship-to address of an order where it failed. */
export function AddressForm({ order, onClose, onSaved }: Props) {
  const { realmId } = useCarrier();
  const queries = useQueryClient();
  const [typed, setTyped] = useState<ShipTo>(order.ship_to);
  const [isMissing, setMissing] = useState(false);
  const save = useMutation({
    mutationFn: (shipTo: ShipTo) =>
      call(correctAddress, { body: { order_id: order.id, ship_to: shipTo }, realmId }),
    onSuccess: async () => {
      await refreshOrders(queries, realmId);
      onSaved();
    },
  });
  const change = (part: Partial<ShipTo>) => setTyped({ ...typed, ...part });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const lines = typed.lines.filter((line) => line.trim() !== "");
    const isWhole =
      lines.length > 0 &&
      [typed.name, typed.city, typed.state, typed.zip].every((text) => text.trim() !== "");
    setMissing(!isWhole);
    if (isWhole && !save.isPending) save.mutate({ ...typed, lines });
  };
  const field = (part: "name" | "attention" | "city" | "state" | "zip" | "phone", maxLength: number) => (
    <TextInput
      {...(part === "name" ? { ref: takeFocus } : {})}
      label={words[part]}
      value={typed[part]}
      maxLength={maxLength}
      autoComplete="off"
      onChange={({ target }) => change({ [part]: target.value })}
    />
  );
  return (
    <Box
      component="form"
      noValidate
      aria-label={`${words.title} ${orderWords.ofPo(order.po_number)}`}
      onSubmit={submit}
      sx={{ mt: 2 }}
    >
      <Box
        sx={{
          display: "grid",
          gap: 1.5,
          gridTemplateColumns: "repeat(auto-fill, minmax(min(100%, 13rem), 1fr))",
        }}
      >
        {field("name", 35)}
        {field("attention", 35)}
        {field("phone", 20)}
        {LINES.map((place) => (
          <TextInput
            key={place}
            label={words.line(place)}
            value={typed.lines[place] ?? ""}
            maxLength={35}
            autoComplete="off"
            onChange={({ target }) =>
              change({ lines: LINES.map((at) => (at === place ? target.value : (typed.lines[at] ?? ""))) })
            }
          />
        ))}
        {field("city", 30)}
        {field("state", 5)}
        {field("zip", 10)}
      </Box>
      <ErrorBlock title={null} message={isMissing ? words.missing : null} />
      <FailedCall title={stateWords.errorTitle} error={save.isPending ? null : save.error} />
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1, mt: 2 }}>
        <BusyButton
          type="submit"
          label={words.save}
          detail={orderWords.ofPo(order.po_number)}
          isBusy={save.isPending}
        />
        <BusyButton variant="text" label={stateWords.back} isBusy={false} onClick={onClose} />
      </Box>
    </Box>
  );
}
