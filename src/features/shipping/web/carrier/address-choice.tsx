import { correctAddress } from "#features/orders/contract.ts";
import type { OpenOrder, OrderLabels } from "#features/shipping/contract.ts";
import { useCarrier } from "#features/shipping/web/carrier/carrier-context.ts";
import { refreshOrders } from "#features/shipping/web/shipment/queries.ts";
import { orderWords } from "#features/shipping/web/carrier/words.ts";
import { addressChoiceWords as words } from "#features/shipping/web/carrier/words-rare.ts";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { useAnnounce } from "#web/kit/live-region.tsx";
import Box from "@mui/material/Box";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";

type Street = NonNullable<OrderLabels["meant"]>;

type Props = {
  order: OpenOrder;
  meant: Street | null;
  /** Other actions, in addition to the two addresses. */
  children: ReactNode;
  /** Generates the labels once the address is saved. */
  onSaved: () => void;
};

/** Asks whether to use the order's address or the one that UPS suggests, then makes the labels immediately. */
export function AddressChoice({ order, meant, children, onSaved }: Props) {
  const { realmId } = useCarrier();
  const queries = useQueryClient();
  const announce = useAnnounce();
  const po = order.po_number;
  const save = useMutation({
    // The order's own address is confirmed by saving it unchanged.
    mutationFn: (street: Street | null) =>
      call(correctAddress, {
        body: { order_id: order.id, ship_to: { ...order.ship_to, ...street } },
        realmId,
      }),
    onSuccess: async () => {
      announce(words.used(po));
      await refreshOrders(queries, realmId);
      onSaved();
    },
  });
  const chosen = save.isPending ? (save.variables === null ? "keep" : "use") : null;
  return (
    <>
      {meant ? (
        <Box sx={{ display: "flex", flexWrap: "wrap", gap: "8px 40px", mt: 1 }}>
          <Side name={words.ours}>{writeStreet(order.ship_to)}</Side>
          <Side name={words.meant}>{markNew(writeStreet(meant), writeStreet(order.ship_to))}</Side>
        </Box>
      ) : null}
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 1, mt: 1 }}>
        {meant ? (
          <BusyButton
            size="small"
            label={words.use}
            detail={orderWords.forPo(po)}
            isBusy={chosen === "use"}
            onClick={() => save.mutate(meant)}
          />
        ) : null}
        <BusyButton
          variant="text"
          size="small"
          label={words.keep}
          detail={orderWords.forPo(po)}
          isBusy={chosen === "keep"}
          onClick={() => save.mutate(null)}
        />
        {children}
      </Box>
      <FailedCall title={null} error={save.isPending ? null : save.error} />
    </>
  );
}

function Side({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <Box component="span" sx={{ display: "block", typography: "caption" }}>
        {name}
      </Box>
      {children}
    </div>
  );
}

const writeStreet = ({ lines, city, state, zip }: Street) =>
  `${[...lines, city].join(", ")}, ${state} ${zip}`;

/** Shows words in bold that the other address doesn't have. */
function markNew(text: string, other: string): ReactNode {
  const known = new Set(other.toUpperCase().split(/[ ,]+/));
  return text.split(/([ ,]+)/).map((word, place) =>
    place % 2 === 1 || known.has(word.toUpperCase()) ? (
      word
    ) : (
      // oxlint-disable-next-line react/no-array-index-key -- words are identified only by position
      <b key={place}>{word}</b>
    ),
  );
}
