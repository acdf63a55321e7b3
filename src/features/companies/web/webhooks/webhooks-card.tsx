import { webhookWords as words } from "#features/companies/web/webhooks/words.ts";
import { Card } from "#web/kit/card.tsx";
import { Disclosure } from "#web/kit/disclosure.tsx";
import { lazyPart } from "#web/kit/lazy-part.tsx";
import { useSession } from "#web/kit/session/session.ts";
import { Spinner } from "#web/kit/spinner.tsx";
import { Suspense } from "react";

const Webhooks = lazyPart(
  async () => (await import("#features/companies/web/webhooks/webhooks.tsx")).Webhooks,
);

/** Webhooks of the current company, loaded when opened. */
export function WebhooksCard() {
  const { company } = useSession();
  if (!company) return null;
  return (
    <Card title={words.title} note={words.note}>
      <Disclosure key={company.id} title={words.show} openTitle={words.hide} my={0}>
        <Suspense fallback={<Spinner label={words.loading} />}>
          <Webhooks realmId={company.id} />
        </Suspense>
      </Disclosure>
    </Card>
  );
}
