import { carrierWords as words } from "#features/carrier/web/words.ts";
import type { CompanyView } from "#features/companies/contract.ts";
import { formatLocalDay, formatZoned } from "#web/kit/format.ts";
import { useSession } from "#web/kit/session/session.ts";
import { Hint } from "#web/kit/settings-group.tsx";

/** Who connected the UPS account, and when it was used last. */
export function ConnectionLine({ of }: { of: CompanyView["ups_connection"] }) {
  const { email } = useSession();
  if (!of) return null;
  const by = of.by === email ? words.you : of.by;
  return <Hint>{words.connection(by, formatLocalDay(of.at), formatZoned(of.used_at))}</Hint>;
}
