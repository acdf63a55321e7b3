import type { SessionCompany } from "#features/identity/contract.ts";
import { uploadWords } from "#features/invoices/web/words.ts";
import { boot } from "#web/kit/boot.ts";
import { Sentence } from "#web/kit/sentence.tsx";
import { TextLink } from "#web/kit/text-link.tsx";

const words = uploadWords.connection;

type Props = { company: SessionCompany; isLost: boolean };

/** The page's company and its services, as the session names them: nothing moves when the companies are read. */
export function ConnectionLine({ company, isLost }: Props) {
  const tracking = company.tracking === true;
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
        <Sentence>
          <span>{boot.sellsTracking ? words.turnOnTracking : words.trackingSoon}</span>
          {boot.trackingPrice ? ` ${words.trackingCosts(boot.trackingPrice)}` : null}
        </Sentence>
      )}
    </>
  );
}
