import type { ReceivedDocument } from "#web/kit/api-client.ts";
import { TriedButton } from "#web/kit/busy-button.tsx";
import { saveDocument } from "#web/kit/save-document.ts";
import { Icon } from "#web/kit/icon.tsx";
import { linkLook } from "#web/kit/text-link.tsx";
import { kitWords } from "#web/kit/words.ts";
import { useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";

type Props = {
  /** What is downloaded, as in "Download {type}". */
  type: string;
  /** What distinguishes it from other downloads of the type: "for PO # 123". */
  detail?: string;
  /** Name of the document, under which it is saved unless the server names it; without one there is nothing to show. */
  fileName: string | null | undefined;
  fetchDocument: (fileName: string) => Promise<ReceivedDocument>;
  /** Like a link, for a list of links to other documents; as an action, one of an `ActionList`. */
  look?: "button" | "link" | "action";
};

const asLink = {
  ...linkLook,
  minWidth: 0,
  px: 0,
  font: "inherit",
  textAlign: "left",
  textDecoration: "underline",
  "&:hover": { textDecoration: "underline", backgroundColor: "transparent" },
} as const;

const LOOKS = {
  button: {},
  link: { variant: "text", sx: asLink },
  action: { variant: "text", startIcon: <Icon of={Download} size="small" /> },
} as const;

/** Downloads a document: the one way in which the product saves what the server makes for a reader. */
export function DownloadButton({ type, detail, fileName, fetchDocument, look = "button" }: Props) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: fetchDocument,
    onSuccess: (received, asked) => saveDocument(received, asked),
  });
  if (!fileName) return null;
  return (
    <TriedButton
      label={kitWords.download(type)}
      detail={detail}
      {...LOOKS[look]}
      isBusy={isPending}
      error={error}
      onClick={() => mutate(fileName)}
    />
  );
}
