import { folderWords as words } from "#features/orders/web/folder-words.ts";
import { Card } from "#web/kit/card.tsx";
import { Disclosure } from "#web/kit/disclosure.tsx";
import { lazyPart } from "#web/kit/lazy-part.tsx";
import { useSession } from "#web/kit/session/session.ts";
import { Spinner } from "#web/kit/spinner.tsx";
import { Suspense } from "react";

const FolderSettings = lazyPart(
  async () => (await import("#features/orders/web/folder-settings.tsx")).FolderSettings,
);

/** The folder from which the current company's orders are fetched, loaded when opened. */
export function FolderCard() {
  const { company } = useSession();
  if (!company) return null;
  return (
    <Card title={words.title} note={words.note}>
      <Disclosure key={company.id} title={words.show} openTitle={words.hide} my={0}>
        <Suspense fallback={<Spinner label={words.loading} />}>
          <FolderSettings realmId={company.id} />
        </Suspense>
      </Disclosure>
    </Card>
  );
}
