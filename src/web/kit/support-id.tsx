import { useAnnounce } from "#web/kit/live-region.tsx";
import { kitWords } from "#web/kit/words.ts";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { type ReactNode, useRef, useState } from "react";

const words = kitWords.support;

/** The contact page with the support id filled in. */
export const contactAddress = (supportId: string | null): string =>
  supportId ? `/contact/?${new URLSearchParams({ support_id: supportId })}` : "/contact/";

/** The number under which we find what went wrong, to copy; where copying is not allowed it is selected instead. */
export function SupportId({ id, children }: { id: string; children?: ReactNode }) {
  const announce = useAnnounce();
  const shown = useRef<HTMLElement>(null);
  const [note, setNote] = useState<string | null>(null);
  const copy = async () => {
    const isCopied = await copyText(id);
    if (!isCopied && shown.current) window.getSelection()?.selectAllChildren(shown.current);
    const outcome = isCopied ? words.copied : words.selected;
    setNote(outcome);
    announce(outcome);
  };
  return (
    <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", columnGap: 2, rowGap: 1, mt: 1.5 }}>
      <span>
        {words.label}{" "}
        <span ref={shown} style={{ overflowWrap: "anywhere" }}>
          {id}
        </span>
      </span>
      <Button variant="outlined" onClick={() => void copy()}>
        {words.copy}
      </Button>
      {children}
      {note ? <span aria-hidden="true">{note}</span> : null}
    </Box>
  );
}

/** @returns false where the browser does not allow it, as on plain http, where it has no clipboard whatever its type says */
async function copyText(text: string): Promise<boolean> {
  const clipboard = navigator.clipboard as Clipboard | undefined;
  return (
    (await clipboard?.writeText(text).then(
      () => true,
      () => false,
    )) ?? false
  );
}
