import { CurrentServices } from "#features/billing/web/current-services.tsx";
import { OwnPayments } from "#features/billing/web/own-payments.tsx";
import { CarrierAccount } from "#features/carrier/web/carrier-account.tsx";
import { LinkedAccount } from "#features/carrier/web/linked-account.tsx";
import { CompanyPage } from "#features/companies/web/settings-page.tsx";
import { WatchState } from "#features/tracking/web/watch-state.tsx";

/** App Settings, composed here because the companies feature imports none of these features. */
export const SettingsPage = () => (
  <CompanyPage
    Services={CurrentServices}
    Paying={OwnPayments}
    Carrier={CarrierAccount}
    Linked={LinkedAccount}
    Watch={WatchState}
  />
);
