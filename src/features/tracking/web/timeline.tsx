import type { PackageState } from "#features/packages/contract.ts";
import type { TrackedPackageView } from "#features/tracking/contract.ts";
import { calm, calmPlace } from "#features/tracking/web/calm.ts";
import { formatMoment, formatScan } from "#features/tracking/web/format-time.ts";
import { trackingWords } from "#features/tracking/web/words.ts";
import { Icon } from "#web/kit/icon.tsx";
import { PlainLink } from "#web/kit/text-link.tsx";
import { typeScale } from "#web/theme/type-scale.ts";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { styled } from "@mui/material/styles";
import { Check, type LucideIcon, TriangleAlert, Truck } from "lucide-react";
import { useState } from "react";

const words = trackingWords.scans;

const Scans = styled("ol")(({ theme }) => {
  const { palette } = theme.vars ?? theme;
  return {
    listStyle: "none",
    margin: "24px 0 0",
    padding: 0,
    "& > li": {
      position: "relative",
      display: "grid",
      gridTemplateColumns: "16px minmax(0, 1fr) auto",
      columnGap: 16,
      paddingBottom: 20,
    },
    "& > li:not(:last-child)::before": {
      content: '""',
      position: "absolute",
      left: 7,
      top: 20,
      bottom: -4,
      borderLeft: `1px solid ${palette.line.strong}`,
    },
    "& .fact": { display: "block", ...typeScale.caption, color: palette.text.caption },
    "& time": { color: palette.text.secondary, whiteSpace: "nowrap" },
    [theme.breakpoints.down("sm")]: {
      "& > li": { gridTemplateColumns: "16px minmax(0, 1fr)" },
      "& time": { gridColumn: 2 },
    },
  };
});

const Dot = styled("span")(({ theme }) => ({
  boxSizing: "border-box",
  width: 9,
  height: 9,
  margin: "8px 3px",
  borderRadius: "50%",
  border: `2px solid ${(theme.vars ?? theme).palette.line.control}`,
  backgroundColor: (theme.vars ?? theme).palette.background.default,
}));

const Mark = styled("span")({
  display: "grid",
  placeItems: "center",
  width: 16,
  height: 16,
  margin: "4px 0",
  borderRadius: "50%",
  color: "#fff",
  forcedColorAdjust: "none",
  "& > svg": { strokeWidth: 3 },
});

type Look = { icon: LucideIcon; backgroundColor: string; color?: string };

const GOES_ON: Look = { icon: Truck, backgroundColor: "secondary.main" };
const WRONG: Look = { icon: TriangleAlert, backgroundColor: "status.red.rule" };
const WAITS: Look = { icon: TriangleAlert, backgroundColor: "status.amber.rule", color: "#212121" };

const LOOKS: Partial<Record<PackageState, Look>> = {
  delivered: { icon: Check, backgroundColor: "secondary.main" },
  in_transit: GOES_ON,
  out_for_delivery: GOES_ON,
  exception: WRONG,
  returned: WRONG,
  attempted: WAITS,
  held: WAITS,
};

/** Scans that are shown at first; a package has about a dozen. */
const SHOWN_SCANS = 5;

/** Scans of a package, the newest first, by the clocks of their places. */
export function Timeline({ of }: { of: TrackedPackageView }) {
  const [isAll, setAll] = useState(false);
  const { activities, state } = of;
  if (activities.length === 0) return <NoScans of={of} />;
  // One more than fits is shown instead of the button.
  const shown = isAll || activities.length <= SHOWN_SCANS + 1 ? activities : activities.slice(0, SHOWN_SCANS);
  const hidden = activities.length - shown.length;
  return (
    <>
      <Scans aria-label={words.label}>
        {shown.map((activity, index) => {
          const look = index > 0 ? undefined : of.is_delayed ? WAITS : LOOKS[state];
          return (
            // oxlint-disable-next-line react/no-array-index-key -- scans have no id, and may be equal
            <li key={activities.length - index}>
              {look ? <FirstMark {...look} /> : <Dot />}
              <span>
                <b>{nameScan(activity)}</b>
                <Place of={activity} delivered={index === 0 ? of : null} />
              </span>
              <time {...(activity.at ? { dateTime: activity.at } : {})}>{formatScan(activity)}</time>
            </li>
          );
        })}
      </Scans>
      {hidden > 0 ? (
        <Button variant="text" size="small" onClick={() => setAll(true)} sx={{ ml: 3, mt: -1 }}>
          {words.earlier(hidden)}
        </Button>
      ) : null}
    </>
  );
}

function FirstMark({ icon, ...colors }: Look) {
  return (
    <Mark sx={colors}>
      <Icon of={icon} size={11} />
    </Mark>
  );
}

type Activity = TrackedPackageView["activities"][number];

/** Our word where there is one, else UPS's own words. */
function nameScan({ state, text }: Activity): string {
  const known = state === null ? undefined : (words.titles as Partial<Record<PackageState, string>>)[state];
  return known ?? calm(text.trim());
}

/** Place of a scan; of the delivery also where the package was left and who signed. */
function Place({ of: { place, state }, delivered }: { of: Activity; delivered: TrackedPackageView | null }) {
  const isDelivery = state === "delivered" && delivered !== null;
  const left = isDelivery && delivered.left_at !== "" ? words.leftAt(delivered.left_at.toLowerCase()) : "";
  const signed = isDelivery && delivered.received_by !== "" ? words.signedBy(delivered.received_by) : "";
  const text = join([calmPlace(place), join([left, signed], ", ")], " · ");
  return text === "" ? null : <span className="fact">{text}</span>;
}

const join = (parts: readonly string[], between: string) => parts.filter((part) => part !== "").join(between);

/** UPS's page for users, which may show a package that its service doesn't. */
const upsPage = (number: string) => `https://www.ups.com/track?tracknum=${encodeURIComponent(number)}`;

function NoScans({ of }: { of: TrackedPackageView }) {
  const { number, state, polled_at: polledAt, is_label: isLabel } = of;
  // An answer that knows a label has at least the event that it was made.
  const isHidden = isLabel && state === "label_created" && polledAt !== null;
  const text = state === "unknown" || state === "not_found" ? words.none[state] : words.none.other;
  return (
    <Box sx={{ mt: 3, "& > p": { m: 0 } }}>
      {isHidden ? (
        <p>
          {words.none.label}{" "}
          <PlainLink href={upsPage(number)} target="_blank" rel="noopener noreferrer">
            {words.upsPage}
          </PlainLink>
        </p>
      ) : (
        <p>{text}</p>
      )}
      {polledAt === null ? null : (
        <Box component="p" sx={{ typography: "caption", color: "text.caption" }}>
          {words.polledAt(formatMoment(polledAt))}
        </Box>
      )}
    </Box>
  );
}
