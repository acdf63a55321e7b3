import { CurrentServices } from "#features/billing/web/current-services.tsx";
import { OwnPayments } from "#features/billing/web/own-payments.tsx";
import { CarrierAccount } from "#features/carrier/web/carrier-account.tsx";
import { DifferencesCard } from "#features/differences/web/differences-card.tsx";
import { FolderCard } from "#features/orders/web/folder-card.tsx";
import { WatchState } from "#features/tracking/web/watch-state.tsx";
import { SettingsPage as CompanySettingsPage } from "#features/companies/web/settings-page.tsx";

/** App Settings, composed here because the companies feature imports none of these features. */
export function SettingsPage() {
  return (
    <CompanySettingsPage
      Services={CurrentServices}
      Paying={OwnPayments}
      Carrier={CarrierAccount}
      Watch={WatchState}
      Folder={FolderCard}
      Differences={DifferencesCard}
    />
  );
}
