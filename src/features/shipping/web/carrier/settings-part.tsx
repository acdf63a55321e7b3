import type { SessionCompany } from "#features/identity/contract.ts";
import { carrierSettingsWords as words } from "#features/shipping/web/settings/words.ts";
import { boot } from "#web/kit/boot.ts";
import { Card } from "#web/kit/card.tsx";
import { Icon } from "#web/kit/icon.tsx";
import { lazyPart } from "#web/kit/lazy-part.tsx";
import { useSession } from "#web/kit/session/session.ts";
import { Spinner } from "#web/kit/spinner.tsx";
import Button from "@mui/material/Button";
import { ChevronDown, ChevronRight } from "lucide-react";
import { Suspense, useEffect, useRef } from "react";

const CarrierSettings = lazyPart(
  async () => (await import("#features/shipping/web/settings/carrier-settings.tsx")).CarrierSettings,
);

type Props = { company: SessionCompany; isOpen: boolean; onToggle: (isOpen: boolean) => void };

/** Settings of UPS labels behind a row; read and loaded when opened. */
export function SettingsPart({ company, isOpen, onToggle }: Props) {
  const { isCompanyAdmin } = useSession();
  const button = useRef<HTMLButtonElement>(null);
  // Opened from a notice further up.
  useEffect(() => {
    if (isOpen && document.activeElement !== button.current) button.current?.focus();
  }, [isOpen]);
  return (
    <Card label={words.title} printed={false}>
      <Button
        ref={button}
        size="small"
        aria-expanded={isOpen}
        onClick={() => onToggle(!isOpen)}
        sx={{ ml: -1.5, mr: 1 }}
      >
        <Icon of={isOpen ? ChevronDown : ChevronRight} size="small" />
        {words.title}
      </Button>
      <span style={{ display: "inline-block" }}>
        {isCompanyAdmin ? words.note(boot.retailer) : words.readOnly(company.admin ?? null)}
      </span>
      {isOpen ? (
        <Suspense fallback={<Spinner label={words.loading} />}>
          <CarrierSettings company={company} />
        </Suspense>
      ) : null}
    </Card>
  );
}
