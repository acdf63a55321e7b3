import { ConnectedCompanies } from "#features/companies/web/connected-companies.tsx";
import { CurrentServices } from "#features/billing/web/current-services.tsx";
import { CarrierAccount } from "#features/carrier/web/carrier-account.tsx";
import { LinkedAccount } from "#features/carrier/web/linked-account.tsx";
import { CompanySections } from "#features/companies/web/settings-page.tsx";
import { DisconnectForm } from "#features/companies/web/disconnect-form.tsx";
import { Acted, openAll } from "../acted.tsx";
import { seedCompany, seedSubscriptions, manyCompanies } from "../samples.ts";
import { Sample } from "../sample.tsx";
import { acme, olive, Stage } from "../stage.tsx";
import { galleryWords } from "../words.ts";
import { WatchState } from "#features/tracking/web/watch-state.tsx";
import { ReconnectNotice } from "#web/kit/reconnect-notice.tsx";

const words = galleryWords.settings;

/** The cards of Settings, and disconnecting. */
export function CompaniesSection() {
  return (
    <>
      {[0, 1, 2, 12].map((count) => (
        <Sample key={count} name={words.companies(count)}>
          <Stage session={{ ...olive, ...manyCompanies(count) }} seeds={[seedCompany()]}>
            <Acted act={count === 2 ? openAll : leave}>
              <ConnectedCompanies />
            </Acted>
          </Stage>
        </Sample>
      ))}
      <Sample name={words.services}>
        <Stage seeds={[seedCompany({ services: ["tracking"] }), seedSubscriptions()]}>
          <CompanySections
            Services={CurrentServices}
            Carrier={CarrierAccount}
            Linked={LinkedAccount}
            Watch={WatchState}
          />
        </Stage>
      </Sample>
      <Sample name={words.reconnect}>
        <Stage seeds={[seedCompany({ connection: "reconnect_needed" })]}>
          <ReconnectNotice />
        </Stage>
      </Sample>
      <Sample name={words.disconnect}>
        <Stage seeds={[seedCompany()]}>
          <DisconnectForm company={acme} onDone={leave} />
        </Stage>
      </Sample>
      <Sample name={words.notAdmin}>
        <Stage session={{ ...olive, email: "carl@acme.example" }} seeds={[seedCompany()]}>
          <DisconnectForm company={acme} onDone={leave} />
        </Stage>
      </Sample>
    </>
  );
}

function leave() {}
