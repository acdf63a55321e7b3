import { noticeLineWords as words } from "#features/shipping/web/shipment/words.ts";
import type { NoticeView } from "#features/orders/notices-out/contract.ts";
import type { Tone } from "#web/theme/colors.ts";
import Box from "@mui/material/Box";

type Props = { kind: "ship" | "cancel"; notice: NoticeView };

/** States that a user should do something about. */
const TONES: Partial<Record<NoticeView["state"], Tone>> = { rejected: "red", overdue: "amber" };

/** Says what became of a notice for the retailer, with the retailer's reasons when it is rejected. */
export function NoticeLine({ kind, notice: { state, at, problems } }: Props) {
  const tone = TONES[state];
  return (
    <Box
      component="span"
      className="fact"
      sx={(theme) => (tone ? { "&&": { color: theme.vars?.palette.status[tone].ink } } : {})}
    >
      {words.state(words.names[kind], state, at)}
      {problems.length > 0 ? ` ${words.because(problems)}` : null}
    </Box>
  );
}
