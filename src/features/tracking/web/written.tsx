import type { TrackedDetailsView } from "#features/tracking/contract.ts";
import { formatMoment, formatScanDay } from "#features/tracking/web/format-time.ts";
import { trackingWords } from "#features/tracking/web/words.ts";
import { Notice } from "#web/kit/notice.tsx";
import Box from "@mui/material/Box";
import { joinList } from "#web/kit/join-list.ts";

const words = trackingWords.written;

/** Says in one sentence what we wrote on the invoice, and why not if it couldn't be written. */
export function Written({ of }: { of: TrackedDetailsView["written"] }) {
  const parts = listParts(of);
  return (
    <>
      <Box component="p" sx={{ color: "text.secondary" }}>
        {parts === "" ? words.nothing : words.done(parts)}
        {parts !== "" && of.at !== null ? (
          <Box component="span" sx={{ display: "block", typography: "caption", color: "text.caption" }}>
            {words.at(formatMoment(of.at))}
          </Box>
        ) : null}
      </Box>
      {[
        { title: words.problem, text: of.problem },
        { title: words.freightProblem, text: of.freight_problem },
      ].map(({ title, text }) =>
        text === "" ? null : (
          <Notice key={title} tone="amber" role="group" title={title}>
            <p>{text}</p>
          </Notice>
        ),
      )}
    </>
  );
}

function listParts({
  ship_date: day,
  ship_via: via,
  tracking_number: number,
  freight,
}: TrackedDetailsView["written"]) {
  return joinList([
    ...(day === null ? [] : [words.parts.shipDate(formatScanDay(day))]),
    ...(via === null ? [] : [via]),
    ...(number === null ? [] : [words.parts.trackingNumber]),
    ...(freight === null ? [] : [words.parts.freight(freight)]),
  ]);
}
