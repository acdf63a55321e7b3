import { copyText } from "#web/kit/copy-text.ts";
import { takeFocusLate } from "#web/kit/focus.ts";
import { Icon } from "#web/kit/icon.tsx";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { Notice } from "#web/kit/notice.tsx";
import { TextInput } from "#web/kit/text-input.tsx";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { Copy } from "lucide-react";
import { useRef } from "react";

const words = {
  copied: "Copied",
  selected: "Your browser doesn't allow copying here. It is selected: press Ctrl+C.",
} as const;

type Props = {
  title: string;
  secret: string;
  label: string;
  /** Label of the button that copies it, which takes focus. */
  copy: string;
  note: string;
};

/** A secret, shown this once. */
export function Secret({ title, secret, label, copy, note }: Props) {
  const announce = useAnnounce();
  const field = useRef<HTMLInputElement>(null);
  const onCopy = async () => {
    const isCopied = await copyText(secret);
    if (!isCopied) field.current?.select();
    announce(isCopied ? words.copied : words.selected);
  };
  return (
    <Notice tone="green" title={title}>
      {note}
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1, mt: 1 }}>
        <TextInput ref={field} label={label} labelAt="hidden" readOnly value={secret} />
        <Button
          ref={takeFocusLate}
          variant="outlined"
          startIcon={<Icon of={Copy} size="small" />}
          onClick={() => void onCopy()}
        >
          {copy}
        </Button>
      </Box>
    </Notice>
  );
}
