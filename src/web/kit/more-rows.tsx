import { BusyButton } from "#web/kit/busy-button.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import type { UseInfiniteQueryResult } from "@tanstack/react-query";

type Props = { query: UseInfiniteQueryResult; label: string; variant?: "text" | "outlined" };

/** Below a list that is read in parts: why one could not be read, and a button for the next one. */
export function MoreRows({ query, label, variant = "text" }: Props) {
  const { error, isFetchNextPageError, hasNextPage, isFetchingNextPage, refetch, fetchNextPage } = query;
  return (
    <>
      <FailedCall error={error} onRetry={() => void (isFetchNextPageError ? fetchNextPage() : refetch())} />
      {hasNextPage ? (
        <div data-print="never" style={{ marginTop: 16, marginLeft: variant === "text" ? -8 : 0 }}>
          <BusyButton
            variant={variant}
            label={label}
            isBusy={isFetchingNextPage}
            onClick={() => void fetchNextPage()}
          />
        </div>
      ) : null}
    </>
  );
}
