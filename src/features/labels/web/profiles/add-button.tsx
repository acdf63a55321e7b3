import Button from "@mui/material/Button";
import type { Ref } from "react";

type Props = { label: string; isFull: boolean; onAdd: () => void; ref?: Ref<HTMLButtonElement> };

/** Adds one of several. Full, it still holds the keyboard: that comes here when one of them is removed. */
export const AddButton = ({ label, isFull, onAdd, ref }: Props) => (
  <Button
    ref={ref ?? null}
    variant="outlined"
    size="small"
    aria-disabled={isFull}
    onClick={() => (isFull ? undefined : onAdd())}
    sx={{ mt: 1, ...(isFull ? { opacity: 0.4, cursor: "default" } : {}) }}
  >
    {label}
  </Button>
);
