import type { SheetEndpoints, WrittenOrder } from "#features/sheets/contract.ts";
import { dateOrderWords as words } from "#features/sheets/web/words.ts";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { Choice } from "#web/kit/choice.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { useMutation } from "@tanstack/react-query";
import { useId, useState } from "react";

type Props = { endpoints: SheetEndpoints; realmId: string; onSaved: () => void };

const ORDERS = ["mdy", "dmy"] as const;

/** Asks how the dates of a file are written, and has it remembered for the company. */
export function DateOrderQuestion({ endpoints, realmId, onSaved }: Props) {
  const announce = useAnnounce();
  const group = useId();
  const [order, setOrder] = useState<WrittenOrder | null>(null);
  const save = useMutation({
    mutationFn: () => call(endpoints.chooseDateOrder, { query: { realm_id: realmId }, body: { order } }),
    onSuccess: () => {
      announce(words.saved);
      onSaved();
    },
  });
  return (
    <fieldset>
      <legend style={{ fontWeight: 700 }}>{words.question}</legend>
      {ORDERS.map((each) => (
        <Choice
          key={each}
          type="radio"
          name={group}
          checked={order === each}
          disabled={save.isPending}
          onChange={() => setOrder(each)}
        >
          {words.orders[each]}
        </Choice>
      ))}
      <p style={{ margin: "8px 0 16px" }}>{words.hint}</p>
      <BusyButton
        label={words.save}
        variant="contained"
        disabled={!order}
        isBusy={save.isPending}
        onClick={save.mutate}
      />
      <FailedCall error={save.error} />
    </fieldset>
  );
}
