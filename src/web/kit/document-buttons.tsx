import type { ReceivedDocument } from "#web/kit/api-client.ts";
import { SubmitButton } from "#web/kit/busy-button.tsx";
import { saveDocument, printDocument } from "#web/kit/documents.ts";
import { Icon } from "#web/kit/icon.tsx";
import { kitWords } from "#web/kit/words.ts";
import { useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";

type Props = {
  /** Document type, as in "Download {type}". */
  type: string;
  /** Distinguishes it from other downloads of the type: "for PO # 123". */
  detail?: string;
  /** Fallback name of the saved document; without one nothing is shown. */
  fileName: string | null | undefined;
  fetchDocument: (fileName: string) => Promise<ReceivedDocument>;
  /** `link` in a list of links, `action` in an `ActionList`, `quiet` among the actions of a row. */
  look?: "button" | "link" | "action" | "quiet";
  size?: "small";
};

const LOOKS = {
  button: {},
  link: { variant: "link" },
  quiet: { variant: "text", size: "small" },
  action: { variant: "text", startIcon: <Icon of={Download} size="small" /> },
} as const;

/** Downloads a document from the server; the only download button of the product. */
export function DownloadButton({ type, detail, fileName, fetchDocument, look = "button", size }: Props) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: fetchDocument,
    onSuccess: (received, asked) => saveDocument(received, asked),
  });
  if (!fileName) return null;
  return (
    <SubmitButton
      label={kitWords.download(type)}
      detail={detail}
      {...LOOKS[look]}
      {...(size ? { size } : {})}
      isBusy={isPending}
      error={error}
      onClick={() => mutate(fileName)}
    />
  );
}

type PrintProps = {
  /** Distinguishes it from other print buttons: "the label of PO # 123". */
  detail?: string;
  fetchDocument: () => Promise<ReceivedDocument>;
};

/** Prints a PDF unchanged with the browser's print function. */
export function PrintButton({ detail, fetchDocument }: PrintProps) {
  const { mutate, isPending, error } = useMutation({ mutationFn: () => printDocument(fetchDocument) });
  return (
    <SubmitButton
      label={kitWords.print}
      detail={detail}
      isBusy={isPending}
      error={error}
      onClick={() => mutate()}
    />
  );
}
