import { BusyButton } from "#web/kit/busy-button.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { formatMoment } from "#web/kit/format.ts";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { Notice } from "#web/kit/notice.tsx";
import Box from "@mui/material/Box";
import { useMutation } from "@tanstack/react-query";

const words = {
  title: (at: string) => `A different order with this PO number came in on ${formatMoment(at)}`,
  difference: (what: string, here: string, next: string) =>
    `${what}: ${here || "nothing"} in the current order, ${next || "nothing"} in the new one`,
  useNew: "Use the new one",
  forPo: (po: string) => `for PO # ${po}`,
  keep: "Keep",
  keepDetail: (po: string) => `the current order of PO # ${po}`,
  used: (po: string) => `PO # ${po} was replaced by the new order.`,
  kept: (po: string) => `PO # ${po} wasn't changed.`,
} as const;

type Props = {
  po: string;
  waiting: { received_at: string; differences: readonly { what: string; now: string; new: string }[] };
  canUseNew: boolean;
  /** To be known before choosing; empty for nothing. */
  note: string;
  /** Resolves once the page shows the choice. */
  choose(choice: "use_new" | "keep"): Promise<void>;
};

/** Asks which of two orders with one PO number counts. */
export function WaitingOrder({ po, waiting, canUseNew, note, choose }: Props) {
  const announce = useAnnounce();
  const decide = useMutation({
    mutationFn: choose,
    onSuccess: (_, choice) => announce(choice === "keep" ? words.kept(po) : words.used(po)),
  });
  const chosen = decide.isPending && decide.variables;
  const title = words.title(waiting.received_at);
  return (
    <Notice tone="amber" role="group" label={title} title={title}>
      <ul style={{ margin: "4px 0 0", paddingLeft: 20 }}>
        {waiting.differences.map(({ what, now, new: next }) => (
          <li key={what}>{words.difference(what, now, next)}</li>
        ))}
      </ul>
      {note === "" ? null : <p>{note}</p>}
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 1, mt: 1 }}>
        {canUseNew ? (
          <BusyButton
            size="small"
            label={words.useNew}
            detail={words.forPo(po)}
            isBusy={chosen === "use_new"}
            onClick={() => decide.mutate("use_new")}
          />
        ) : null}
        <BusyButton
          size="small"
          label={words.keep}
          detail={words.keepDetail(po)}
          isBusy={chosen === "keep"}
          onClick={() => decide.mutate("keep")}
        />
      </Box>
      <FailedCall title={null} error={decide.error} />
    </Notice>
  );
}
