import { ADMIN_KEY } from "#features/admin/web/keys.ts";
import { adminWords } from "#features/admin/web/words.ts";
import { Dialog } from "#web/kit/dialog.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { Loading } from "#web/kit/spinner.tsx";
import { visuallyHidden } from "#web/kit/visually-hidden.ts";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState, type ReactNode } from "react";

type Details<T> = {
  words: { title: string; about: (subject: string) => string; loading: string };
  /** Name in the title of the dialog. */
  subject: string;
  /** Key of the row, which tells its button from those of others. */
  rowKey: string;
  /** Reads the details when the dialog opens. */
  read(signal: AbortSignal): Promise<T>;
  children(details: T): ReactNode;
};

/** Button of a row that reads more about it and shows that in a dialog. */
export function DetailsButton<T>(details: Details<T>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="text" size="small" onClick={() => setOpen(true)}>
        <span>{details.words.title}</span>
        <span style={visuallyHidden}>&nbsp;{details.rowKey}</span>
      </Button>
      {isOpen ? <DetailsDialog {...details} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function DetailsDialog<T>(details: Details<T> & { onClose: () => void }) {
  const { words, subject, rowKey, read, children, onClose } = details;
  const close = useRef<HTMLButtonElement>(null);
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [ADMIN_KEY, words.title, rowKey],
    queryFn: ({ signal }) => read(signal),
    staleTime: 0,
  });
  return (
    <Dialog title={words.about(subject)} first={close} onClose={onClose}>
      <FailedCall error={error} onRetry={() => void refetch()} />
      <Loading isBusy={isPending} label={words.loading}>
        {data === undefined ? null : children(data)}
      </Loading>
      <Box sx={{ mt: 3 }}>
        <Button ref={close} variant="outlined" onClick={onClose}>
          {adminWords.close}
        </Button>
      </Box>
    </Dialog>
  );
}
