import Button from "@mui/material/Button";
import { type ReactNode, useId, useState } from "react";

/** A button that shows and hides what belongs to it; its content is made only while it is shown. */
export function Disclosure({ title, children }: { title: string; children: ReactNode }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <div style={{ margin: "16px 0" }}>
      <Button
        variant="outlined"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
        data-print="never"
      >
        <span aria-hidden="true" style={{ width: "1.2em" }}>
          {open ? "▾" : "▸"}
        </span>
        {title}
      </Button>
      <div id={id} hidden={!open}>
        {open ? children : null}
      </div>
    </div>
  );
}
