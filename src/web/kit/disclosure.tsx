import { Icon } from "#web/kit/icon.tsx";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { ChevronDown, ChevronRight } from "lucide-react";
import { type ReactNode, useId, useState } from "react";

type Props = {
  title: string;
  /** Replaces the title while the content is shown. */
  openTitle?: string;
  /** Vertical margin, in steps of the theme; none in a row with other buttons. */
  my?: number;
  /** Plain among results, because it is not an action of the page. */
  variant?: "outlined" | "text";
  /** Always shown beside the button. */
  beside?: ReactNode;
  children: ReactNode;
};

/** A button that shows and hides its content, which is rendered only while shown. */
export function Disclosure({
  title,
  openTitle = title,
  my = 2,
  variant = "outlined",
  beside,
  children,
}: Props) {
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <Box sx={{ my, minWidth: 0 }}>
      <Button
        variant={variant}
        // Its label begins where the text above does.
        {...(variant === "text" ? { size: "small", sx: { ml: -1.5, mr: 1 } } : {})}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
        data-print="never"
      >
        <Icon of={open ? ChevronDown : ChevronRight} size="small" />
        {open ? openTitle : title}
      </Button>
      {beside}
      <div id={id} hidden={!open}>
        {open ? children : null}
      </div>
    </Box>
  );
}
