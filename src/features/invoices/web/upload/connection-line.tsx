import type { SessionCompany } from "#features/identity/contract.ts";
import { uploadWords } from "#features/invoices/web/words.ts";
import { boot } from "#web/kit/boot.ts";
import { companiesQuery } from "#web/kit/companies-query.ts";
import { TextLink } from "#web/kit/text-link.tsx";
import { useQuery } from "@tanstack/react-query";

const words = uploadWords.connection;

type Props = { company: SessionCompany; isLost: boolean };

/** The page's company and its services. */
export function ConnectionLine({ company, isLost }: Props) {
  const { data } = useQuery(companiesQuery);
  const details = data?.companies.find(({ id }) => id === company.id);
  const tracking = details?.services.includes("tracking") === true;
  const manage = <TextLink to="/settings/">{words.manage}</TextLink>;
  if (isLost)
    return (
      <>
        {words.lost(company.name)} {manage}
      </>
    );
  return (
    <>
      {tracking ? words.connectedTracking(company.name) : words.connected(company.name)} {manage}{" "}
      {tracking ? null : (
        // Wraps as one sentence. Reserves its space until the services are loaded, so that the page does not
        // move.
        <span style={{ display: "inline-block", visibility: details ? "visible" : "hidden" }}>
          <span>{boot.sellsTracking ? words.turnOnTracking : words.trackingSoon}</span>
          {boot.trackingPrice ? ` ${words.trackingCosts(boot.trackingPrice)}` : null}
        </span>
      )}
    </>
  );
}
