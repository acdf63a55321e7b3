import type { SessionCompany } from "#features/identity/contract.ts";
import { carrierSettingsWords as words } from "#features/shipping/web/settings/words.ts";
import { boot } from "#web/kit/boot.ts";
import { lazyPart } from "#web/kit/lazy-part.tsx";
import { useSession } from "#web/kit/session/session.ts";
import { SettingsPart } from "#web/kit/settings-part.tsx";
import { Spinner } from "#web/kit/spinner.tsx";
import { Suspense, useEffect, useRef } from "react";

const CarrierSettings = lazyPart(
  async () => (await import("#features/shipping/web/settings/carrier-settings.tsx")).CarrierSettings,
);

type Props = { company: SessionCompany; isOpen: boolean; onToggle: (isOpen: boolean) => void };

/** Settings of UPS labels behind a row; read and loaded when opened. */
export function CarrierSettingsPart({ company, isOpen, onToggle }: Props) {
  const { isCompanyAdmin } = useSession();
  const button = useRef<HTMLButtonElement>(null);
  // Opened from a notice further up.
  useEffect(() => {
    if (isOpen && document.activeElement !== button.current) button.current?.focus();
  }, [isOpen]);
  return (
    <SettingsPart
      ref={button}
      title={words.title}
      note={isCompanyAdmin ? words.note(boot.retailer) : words.readOnly(company.admin ?? null)}
      isOpen={isOpen}
      onToggle={onToggle}
    >
      <Suspense fallback={<Spinner label={words.loading} />}>
        <CarrierSettings company={company} />
      </Suspense>
    </SettingsPart>
  );
}
