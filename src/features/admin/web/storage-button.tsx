import type { ListRow } from "#features/admin/lists/contract.ts";
import { ADMIN_KEY } from "#features/admin/web/keys.ts";
import { adminWords } from "#features/admin/web/words.ts";
import { readStorageOf } from "#features/companies/storage/contract.ts";
import { call } from "#web/kit/api-client.ts";
import { Dialog } from "#web/kit/dialog.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { Loading } from "#web/kit/spinner.tsx";
import { StoredList } from "#web/kit/stored/stored-list.tsx";
import { visuallyHidden } from "#web/kit/visually-hidden.ts";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";

const words = adminWords.storage;

/** Shows what is stored for a company; counted on request, because it reads many rows. */
export function StorageButton({ company }: { company: ListRow<"companies"> }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="text" size="small" onClick={() => setOpen(true)}>
        <span>{words.title}</span>
        <span style={visuallyHidden}>&nbsp;{company.key}</span>
      </Button>
      {isOpen ? <StorageDialog company={company} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function StorageDialog({ company, onClose }: { company: ListRow<"companies">; onClose: () => void }) {
  const close = useRef<HTMLButtonElement>(null);
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [ADMIN_KEY, "storage", company.key],
    queryFn: ({ signal }) => call(readStorageOf, { query: { realm_id: company.realm_id }, signal }),
    staleTime: 0,
  });
  return (
    <Dialog title={words.about(company.company)} first={close} onClose={onClose}>
      <FailedCall error={error} onRetry={() => void refetch()} />
      <Loading isBusy={isPending} label={words.loading}>
        {data ? <StoredList storage={data.storage} /> : null}
      </Loading>
      <Box sx={{ mt: 3 }}>
        <Button ref={close} variant="outlined" onClick={onClose}>
          {words.close}
        </Button>
      </Box>
    </Dialog>
  );
}
