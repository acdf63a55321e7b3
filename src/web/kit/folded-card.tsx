import { Card } from "#web/kit/card.tsx";
import { Disclosure } from "#web/kit/disclosure.tsx";
import { useSession } from "#web/kit/session/session.ts";
import { Spinner } from "#web/kit/spinner.tsx";
import { type ReactNode, Suspense } from "react";

type Props = {
  words: { title: string; note: string; show: string; hide: string; loading: string };
  /** The content for a company, which may be a lazy part. */
  children: (realmId: string) => ReactNode;
};

/** A section about the current company whose content is loaded when it is opened. */
export function FoldedCard({ words, children }: Props) {
  const { company } = useSession();
  if (!company) return null;
  return (
    <Card title={words.title} note={words.note}>
      <Disclosure key={company.id} title={words.show} openTitle={words.hide} my={0}>
        <Suspense fallback={<Spinner label={words.loading} />}>{children(company.id)}</Suspense>
      </Disclosure>
    </Card>
  );
}
