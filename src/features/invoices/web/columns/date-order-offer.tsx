import { chooseDateOrder } from "#features/invoices/workbook/contract.ts";
import type { WrittenOrder } from "#features/sheets/contract.ts";
import { dateOrderWords as words } from "#features/invoices/web/columns/words.ts";
import type { Sending } from "#features/invoices/web/upload/use-upload.ts";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { Choice } from "#web/kit/choice.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { useMutation } from "@tanstack/react-query";
import { useId, useState } from "react";

type Props = { realmId: string; failed: Sending; onSaved: (again: Sending) => void };

const ORDERS = ["mdy", "dmy"] as const;

/** After a file was refused for its dates: saying how they are written, then the same is done with the same file again. */
export function DateOrderOffer({ realmId, failed, onSaved }: Props) {
  const announce = useAnnounce();
  const group = useId();
  const [order, setOrder] = useState<WrittenOrder | null>(null);
  const save = useMutation({
    mutationFn: () => call(chooseDateOrder, { query: { realm_id: realmId }, body: { order } }),
    onSuccess: () => {
      announce(words.saved);
      onSaved(failed);
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
