import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import type { FormEvent, ReactNode } from "react";

type Props = { title: string; state?: ReactNode; onSubmit?: () => unknown; children: ReactNode };

/** A group of fields in a section of Settings: a form with a title, and its state beside that. */
export function SettingsGroup({ title, state = null, onSubmit, children }: Props) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit?.();
  };
  return (
    <Box component="form" noValidate aria-label={title} onSubmit={submit} sx={{ "& + &": { mt: 4 } }}>
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: "4px 16px", mb: 1 }}>
        <Typography component="h4" sx={{ m: 0, fontSize: "1.0625rem", fontWeight: 700 }}>
          {title}
        </Typography>
        {state}
      </Box>
      {children}
    </Box>
  );
}

/** Help text below a field. */
export const Hint = ({ id, children }: { id?: string; children: ReactNode }) => (
  <Box component="p" id={id} sx={{ mt: 0.5, mb: 0, typography: "caption", color: "text.caption" }}>
    {children}
  </Box>
);
