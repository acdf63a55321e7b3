import { MAX_BATCH, type MadeLabels, printShipments } from "#features/shipping/contract.ts";
import { usePrint } from "#features/shipping/web/shipment/queries.ts";
import { Band } from "#features/shipping/web/carrier/band.ts";
import { batchWords, orderWords } from "#features/shipping/web/carrier/words.ts";
import { historyWords as words } from "#features/shipping/web/history/words.ts";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";

type Props = { realmId: string; selected: readonly MadeLabels[]; onClear: () => void };

/** Prints the selected labels with their packing slips, in the order in which they were packed; gone without a selection. */
export function PrintSelected({ realmId, selected, onClear }: Props) {
  const packed = selected.toSorted(
    (a, b) => a.packed_at.localeCompare(b.packed_at) || a.packed_place - b.packed_place,
  );
  const hasSlips = !selected.some(({ label_file: file }) => file?.endsWith(".zpl"));
  const count = selected.reduce((sum, { carton_count: cartons }) => sum + cartons, 0);
  const print = usePrint(realmId, () => {
    const body = { ids: packed.map(({ id }) => id), slips: hasSlips };
    return call(printShipments, { body, realmId });
  });
  if (selected.length === 0) return null;
  const isTooMany = selected.length > MAX_BATCH;
  return (
    <>
      <Band aria-label={words.selected}>
        <p>
          <b>{batchWords.orders(selected.length)}</b> · {batchWords.cartons(count)} {batchWords.selected}
          {isTooMany ? (
            <Box component="span" sx={{ color: "status.amber.ink" }}>
              {" "}
              {batchWords.most(MAX_BATCH)}
            </Box>
          ) : null}
        </p>
        <Button variant="text" onClick={onClear}>
          {batchWords.clear}
        </Button>
        <BusyButton
          variant="contained"
          label={hasSlips ? orderWords.printAll(count) : orderWords.print(count)}
          isBusy={print.isPending}
          disabled={isTooMany}
          onClick={() => print.mutate()}
        />
      </Band>
      <FailedCall title={null} error={print.isPending ? null : print.error} />
    </>
  );
}
