import { MessageInbox } from "#features/admin/web/message-inbox.tsx";
import { adminWords as words } from "#features/admin/web/words.ts";
import { Card } from "#web/kit/card.tsx";
import { NotFoundPage } from "#web/kit/not-found/page.tsx";
import { PageTitle } from "#web/kit/page-title.tsx";
import { useSession } from "#web/kit/session/session.ts";
import { SignInGate } from "#web/kit/sign-in-gate.tsx";

/** Pages of the operators; for everyone else there is no such page. */
export function AdminPage() {
  const { authStatus, groups } = useSession();
  if (authStatus === "success" && !groups.includes("admin")) return <NotFoundPage />;
  return (
    <>
      <PageTitle>{words.title}</PageTitle>
      <SignInGate>
        <Card title={words.inbox}>
          <MessageInbox />
        </Card>
        <p>{words.later}</p>
      </SignInGate>
    </>
  );
}
