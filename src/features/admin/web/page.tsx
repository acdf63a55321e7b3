import { adminWords as words } from "#features/admin/web/words.ts";
import { HealthFacts } from "#features/admin/web/health-facts.tsx";
import { RunList } from "#features/admin/web/run-list.tsx";
import { ErrorList } from "#features/admin/web/error-list.tsx";
import { Card } from "#web/kit/card.tsx";
import { NotFoundPage } from "#web/kit/not-found/page.tsx";
import { PageTitle } from "#web/kit/page-head.tsx";
import { useSession } from "#web/kit/session/session.ts";
import { SignInGate } from "#web/kit/gates.tsx";
import { listMessages, type ReceivedMessage } from "#features/legal/contract.ts";
import { call } from "#web/kit/api-client.ts";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { formatDateTime } from "#web/kit/format.ts";
import { Loading } from "#web/kit/spinner.tsx";
import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";

/** Operators' page; shown as not found to other users. */
export function AdminPage() {
  const { authStatus, groups } = useSession();
  if (authStatus === "success" && !groups.includes("admin")) return <NotFoundPage />;
  return (
    <>
      <PageTitle>{words.title}</PageTitle>
      <SignInGate>
        <Card title={words.health.title}>
          <HealthFacts />
        </Card>
        <Card title={words.inbox}>
          <MessageInbox />
        </Card>
        <Card title={words.runs.title}>
          <RunList />
        </Card>
        <Card title={words.errors.title}>
          <ErrorList />
        </Card>
        <Box component="p" sx={{ mt: 5, color: "text.secondary" }}>
          {words.later}
        </Box>
      </SignInGate>
    </>
  );
}

/** Messages of the contact page, newest first. */
function MessageInbox() {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ["messages"],
    queryFn: ({ signal }) => call(listMessages, { signal }),
  });
  return (
    <>
      <FailedCall error={error} onRetry={() => void refetch()} />
      <Loading isBusy={isPending} label={words.loading}>
        {data?.messages.length === 0 ? <p>{words.none}</p> : null}
        {data?.messages.map((message) => (
          <Message key={message.id} message={message} />
        ))}
      </Loading>
    </>
  );
}

function Message({ message }: { message: ReceivedMessage }) {
  return (
    <Box component="article" sx={{ py: 2, borderTop: 1, borderColor: "divider", overflowWrap: "anywhere" }}>
      <Typography variant="h3">{words.from(message.name, message.email)}</Typography>
      <Box sx={{ display: "flex", flexWrap: "wrap", columnGap: 2, color: "text.secondary" }}>
        <time dateTime={message.sent_at}>{formatDateTime(message.sent_at)}</time>
        <span>{words.topics[message.topic]}</span>
        {message.support_id ? <span>{words.supportId(message.support_id)}</span> : null}
      </Box>
      <p style={{ whiteSpace: "pre-wrap", marginBottom: 0 }}>{message.message}</p>
    </Box>
  );
}
