import type { PackageState } from "#features/packages/contract.ts";
import type { TrackedInvoiceView } from "#features/tracking/contract.ts";
import { trackingWords as words } from "#features/tracking/web/words.ts";
import { Chip } from "#web/kit/chip.tsx";
import type { Tone } from "#web/theme/colors.ts";
import { Clock, type LucideIcon, Truck, X } from "lucide-react";

type Look = { tone: Tone | "plain" | "ok"; icon?: LucideIcon };

const LOOKS: Readonly<Record<PackageState, Look>> = {
  unknown: { tone: "plain", icon: Clock },
  not_found: { tone: "amber" },
  label_created: { tone: "plain", icon: Clock },
  in_transit: { tone: "green", icon: Truck },
  out_for_delivery: { tone: "green", icon: Truck },
  delivered: { tone: "ok" },
  attempted: { tone: "amber" },
  held: { tone: "amber" },
  exception: { tone: "red" },
  returned: { tone: "red" },
  voided: { tone: "plain", icon: X },
  ended: { tone: "plain" },
};

/** State of a package. */
export function StateChip({
  state,
  is_delayed: isDelayed,
}: Pick<TrackedInvoiceView, "state" | "is_delayed">) {
  if (isDelayed)
    return (
      <Chip tone="amber" icon={Clock}>
        {words.delayed}
      </Chip>
    );
  return <Chip {...LOOKS[state]}>{words.states[state]}</Chip>;
}

/** States in which the packages that were delivered are the news. */
const QUIET: ReadonlySet<PackageState> = new Set([
  "unknown",
  "label_created",
  "in_transit",
  "out_for_delivery",
  "ended",
]);

type Counted = Pick<TrackedInvoiceView, "state" | "is_delayed" | "packages" | "delivered">;

/** State of an invoice with all its packages. */
export function InvoiceChip({ invoice }: { invoice: Counted }) {
  const { state, packages, delivered } = invoice;
  if (packages === 0) return <Chip tone="plain">{words.notFollowed}</Chip>;
  if (delivered > 0 && delivered < packages && QUIET.has(state))
    return (
      <Chip tone="green" icon={Truck}>
        {words.partly(delivered, packages)}
      </Chip>
    );
  return <StateChip {...invoice} />;
}
