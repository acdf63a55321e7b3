import type { WrittenOrder } from "#features/sheets/contract.ts";
import { dateOrderWords as words } from "#features/sheets/web/words.ts";
import { Choice } from "#web/kit/choice.tsx";
import { useId } from "react";

const ORDERS = ["mdy", "dmy"] as const;

type Props = { order: WrittenOrder | null; isDisabled?: boolean; onChange: (order: WrittenOrder) => void };

/** Asks whether the month or the day comes first. */
export function DateOrderChoice({ order, isDisabled = false, onChange }: Props) {
  const group = useId();
  return (
    <fieldset style={{ border: 0, margin: 0, padding: 0 }}>
      <legend style={{ padding: 0 }}>{words.question}</legend>
      {ORDERS.map((each) => (
        <Choice
          key={each}
          type="radio"
          name={group}
          checked={order === each}
          disabled={isDisabled}
          onChange={() => onChange(each)}
        >
          {words.orders[each]}
        </Choice>
      ))}
    </fieldset>
  );
}
