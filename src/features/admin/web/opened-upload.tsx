import { MAX_REASON, openUpload, type OpenedUpload as Opened } from "#features/admin/contract.ts";
import { readList, type ListRow } from "#features/admin/lists/contract.ts";
import { showTime } from "#features/admin/web/columns.ts";
import { FileButton } from "#features/admin/web/file-button.tsx";
import { ADMIN_KEY } from "#features/admin/web/keys.ts";
import { pagePath } from "#features/admin/web/paths.ts";
import { explain } from "#features/admin/web/uploads-view.ts";
import { adminWords } from "#features/admin/web/words.ts";
import { askForGrant } from "#features/companies/support/contract.ts";
import { call } from "#web/kit/api-client.ts";
import { httpStatus } from "#web/kit/api-error.ts";
import { SubmitButton } from "#web/kit/busy-button.tsx";
import { SectionHead } from "#web/kit/card.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { takeFocusLate } from "#web/kit/focus.ts";
import { formatCount } from "#web/kit/format.ts";
import { Icon } from "#web/kit/icon.tsx";
import { Notice } from "#web/kit/notice.tsx";
import { Loading } from "#web/kit/spinner.tsx";
import { SummaryBand } from "#web/kit/summary-band.tsx";
import { TextTable } from "#web/kit/tables.tsx";
import { TextInput } from "#web/kit/text-input.tsx";
import { TextLink } from "#web/kit/text-link.tsx";
import Box from "@mui/material/Box";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ChevronRight, Eye, Lock } from "lucide-react";
import { useState } from "react";

const words = adminWords.openedUpload;

type Upload = ListRow<"uploads">;

/** An upload and, while support access is open, its contents as the company sees them. */
export function OpenedUpload({ id }: { id: string }) {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [ADMIN_KEY, "uploads", "one", id],
    queryFn: ({ signal }) =>
      call(readList, { params: { list: "uploads" }, query: { search: id, limit: 1 }, signal }),
    staleTime: 0,
  });
  // The search also matches file names.
  const row = ((data?.rows ?? []) as Upload[]).find(({ key }) => key === id);
  return (
    <section aria-labelledby="upload">
      <Box
        component="nav"
        aria-label={words.path}
        sx={{ display: "flex", alignItems: "center", gap: 0.75, typography: "body2", color: "text.caption" }}
      >
        <TextLink to={pagePath("uploads")} style={{ color: "inherit" }}>
          {adminWords.pages.uploads.title}
        </TextLink>
        <Icon of={ChevronRight} size="small" />
        <span style={{ overflowWrap: "anywhere" }}>{row?.file ?? id}</span>
      </Box>
      <FailedCall error={error} onRetry={() => void refetch()} />
      <Loading isBusy={isPending} label={words.loading}>
        {row ? <UploadDetails row={row} /> : data ? <p role="status">{words.unknown}</p> : null}
      </Loading>
    </section>
  );
}

const FORBIDDEN = 403;
/** Limits rereads if this machine's clock is ahead of the server's, where the grant has not ended yet. */
const MIN_CHECK_MS = 60_000;

function UploadDetails({ row }: { row: Upload }) {
  // Set when access was opened during this visit: its form is gone, so the notice takes the focus.
  const [wasGranted, setGranted] = useState(false);
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [ADMIN_KEY, "opened", row.key],
    queryFn: ({ signal }) =>
      call(openUpload, { params: { upload_id: row.key }, query: { realm_id: row.realm_id }, signal }),
    retry: false,
    // The company's audit trail records each read, so read once per visit, and again when the grant ends.
    staleTime: Infinity,
    gcTime: 0,
    refetchInterval: ({ state: { data: opened, dataUpdatedAt: readAt } }) =>
      opened ? Math.max(Date.parse(opened.ends_at) - readAt, MIN_CHECK_MS) : false,
  });
  const isClosed = httpStatus(error) === FORBIDDEN;
  const { posted, invoices } = row;
  return (
    <>
      <SectionHead
        id="upload"
        title={row.file}
        note={[
          row.company || row.realm_id,
          row.uploaded_by,
          showTime(row.uploaded_at),
          adminWords.uploads.posted(formatCount(posted), formatCount(invoices)),
        ].join(" · ")}
        actions={data && !isClosed ? <FileButton list="uploads" row={row} look="button" /> : null}
      />
      <Box component="p" sx={{ mt: -1, color: "text.secondary" }}>
        {explain(row)}
      </Box>
      <Loading isBusy={isPending} label={words.loading}>
        {isClosed ? (
          <GrantForm row={row} onOpen={() => setGranted(true)} />
        ) : data ? (
          <GrantedView company={row.company} opened={data} takesFocus={wasGranted} />
        ) : (
          <FailedCall error={error} onRetry={() => void refetch()} />
        )}
      </Loading>
    </>
  );
}

function GrantForm({ row, onOpen }: { row: Upload; onOpen: () => void }) {
  const queries = useQueryClient();
  const [reason, setReason] = useState("");
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => call(askForGrant, { body: { realm_id: row.realm_id, reason } }),
    onSuccess: async () => {
      onOpen();
      await queries.invalidateQueries({ queryKey: [ADMIN_KEY, "opened"] });
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        mutate();
      }}
    >
      <Box component="p" sx={{ display: "flex", alignItems: "center", gap: 1, mb: 0, fontWeight: 700 }}>
        <Icon of={Lock} size="small" /> {words.closed}
      </Box>
      <p style={{ marginTop: 0 }}>{words.closedText(row.company)}</p>
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "end", gap: 1.5, maxWidth: "44rem" }}>
        <TextInput
          label={words.reason}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
          maxLength={MAX_REASON}
          required
        />
        <SubmitButton type="submit" variant="outlined" label={words.open} isBusy={isPending} error={error} />
      </Box>
    </form>
  );
}

/** The third column has the amounts. */
const AMOUNTS = {
  mt: 2,
  "& :is(th, td):nth-of-type(3)": { textAlign: "right", paddingRight: { sm: "32px" } },
} as const;

/** Posted invoices stay quiet. */
function stateColor({ is_unanswered: isUnanswered, state }: Opened["receipt"]["invoices"][number]) {
  if (isUnanswered) return "status.amber.ink";
  return state === "rejected" ? "status.red.ink" : undefined;
}

type GrantedViewProps = { company: string; opened: Opened; takesFocus: boolean };

function GrantedView({ company, opened: { receipt, ends_at: endsAt }, takesFocus }: GrantedViewProps) {
  const { invoices, read, posted, rejected, unanswered } = receipt;
  const shares = [
    { label: words.shares.read, count: read.invoices, note: words.invoices },
    { label: words.shares.posted, count: posted.invoices, mark: "green" },
    { label: words.shares.unanswered, count: unanswered.invoices, mark: "amber" },
    { label: words.shares.rejected, count: rejected.invoices - unanswered.invoices, mark: "red" },
  ] as const;
  return (
    <>
      <div {...(takesFocus ? { ref: takeFocusLate } : {})} tabIndex={-1}>
        <Notice tone="blue" icon={Lock}>
          {words.openUntil(showTime(endsAt), company)}
        </Notice>
      </div>
      <Box
        sx={(theme) => ({
          p: { xs: 2, sm: 3 },
          border: `1px solid ${theme.vars?.palette.line.strong}`,
          borderRadius: "8px",
          "& > section": { position: "static" },
        })}
      >
        <Box
          sx={{
            display: "flex",
            gap: 1,
            mb: 2,
            typography: "caption",
            color: "text.caption",
            "& svg": { mt: 0.25 },
          }}
        >
          <Icon of={Eye} size="small" />
          {words.seen(company)}
        </Box>
        <SummaryBand
          label={words.figures}
          figures={shares.map(({ count, ...more }) => ({ value: formatCount(count), ...more }))}
        />
        {invoices.length === 0 ? null : (
          <Box sx={AMOUNTS}>
            <TextTable label={words.table} heads={words.heads} isComplete>
              {invoices.map((invoice) => (
                <tr key={invoice.rows}>
                  <td data-head={words.heads[0]}>{invoice.doc_number ?? invoice.qbo_doc_number ?? ""}</td>
                  <td data-head={words.heads[1]}>{invoice.customer}</td>
                  <td data-head={words.heads[2]}>{invoice.amount ?? ""}</td>
                  <td data-head={words.heads[3]} style={{ whiteSpace: "pre-line" }}>
                    <Box component="span" sx={{ color: stateColor(invoice) }}>
                      {[
                        invoice.is_unanswered ? words.unanswered : words.states[invoice.state],
                        invoice.sentence,
                      ]
                        .filter(Boolean)
                        .join(": ")}
                    </Box>
                  </td>
                </tr>
              ))}
            </TextTable>
          </Box>
        )}
        {read.invoices > invoices.length ? <p>{words.more(read.invoices - invoices.length)}</p> : null}
      </Box>
    </>
  );
}
