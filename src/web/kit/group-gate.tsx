import type { Group } from "#contract/endpoint.ts";
import { EmptyState } from "#web/kit/empty-state.tsx";
import { useSession } from "#web/kit/session/session.ts";
import { SignInGate } from "#web/kit/sign-in-gate.tsx";
import { PlainLink } from "#web/kit/text-link.tsx";
import { kitWords } from "#web/kit/words.ts";
import { Lock } from "lucide-react";
import type { ReactNode } from "react";

const words = kitWords.noAccess;

type Props = {
  group: Group;
  /** Said when the session ends: what the page kept. */
  kept?: string | null;
  children: ReactNode;
};

/**
 * Shows its children to people of a group; others read that they may not enter, and whom to ask: those who run the
 * product give groups, in its configuration, and read the contact page. No company's admin can.
 */
export function GroupGate({ group, kept = null, children }: Props) {
  const { authStatus, groups } = useSession();
  if (authStatus !== "success" || groups.includes(group))
    return <SignInGate kept={kept}>{children}</SignInGate>;
  return (
    <EmptyState icon={Lock} title={words.title(words.areas[group])}>
      <p>
        {words.to} <PlainLink href="/contact/">{words.contact}</PlainLink> {words.ask}
      </p>
    </EmptyState>
  );
}
