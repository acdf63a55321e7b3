import type { SessionCompany } from "#features/identity/contract.ts";
import { CarrierForm } from "#features/shipping/web/settings/carrier-form.tsx";
import { NoticeForm } from "#features/shipping/web/settings/notice-form.tsx";
import { CarrierText } from "#features/shipping/web/settings/carrier-text.tsx";
import { carrierSettingsQuery } from "#features/shipping/web/settings/queries.ts";
import { carrierSettingsWords as words } from "#features/shipping/web/settings/words.ts";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { useSession } from "#web/kit/session/session.ts";
import { Spinner } from "#web/kit/spinner.tsx";
import { useQuery } from "@tanstack/react-query";

/** Settings of UPS labels: the admin changes them, other members read them. */
export function CarrierSettings({ company }: { company: SessionCompany }) {
  const { isCompanyAdmin } = useSession();
  const { data, error, refetch } = useQuery(carrierSettingsQuery(company.id));
  const failure = <FailedCall error={error} onRetry={() => void refetch()} />;
  if (!data) return error ? failure : <Spinner label={words.loading} />;
  return (
    <>
      {failure}
      {isCompanyAdmin ? (
        <CarrierForm realmId={company.id} settings={data} />
      ) : (
        <CarrierText settings={data} />
      )}
      {isCompanyAdmin ? <NoticeForm realmId={company.id} /> : null}
    </>
  );
}
