import { Popover } from "#web/frame/popover.tsx";
import { frameWords } from "#web/frame/words.ts";
import { useSession } from "#web/kit/session/session.ts";
import { visuallyHidden } from "#web/kit/visually-hidden.ts";
import Box from "@mui/material/Box";
import { styled } from "@mui/material/styles";

const Face = styled("button")(({ theme }) => ({
  appearance: "none",
  position: "relative",
  display: "grid",
  placeItems: "center",
  flex: "none",
  width: 32,
  height: 32,
  padding: 0,
  border: 0,
  borderRadius: "50%",
  font: "inherit",
  fontSize: "0.75rem",
  fontWeight: 700,
  color: (theme.vars ?? theme).palette.status.gray.text,
  backgroundColor: (theme.vars ?? theme).palette.status.gray.fill,
  cursor: "pointer",
  "@media (forced-colors: active)": { border: "1px solid" },
}));

/** The signed-in user's initials, which open name and e-mail. */
export function UserMenu() {
  const { userName, email } = useSession();
  return (
    <Popover
      opener={(button) => (
        <Face {...button} type="button">
          <span aria-hidden="true">{initials(userName || email)}</span>
          <span style={visuallyHidden}>{frameWords.account(userName || email)}</span>
        </Face>
      )}
      panel={() => <NameAndEmail />}
      sx={{ right: 0, mt: 1, p: 2, width: 264, borderRadius: "8px" }}
    />
  );
}

/** Name and email of the signed-in user. */
export function NameAndEmail() {
  const { userName, email } = useSession();
  return (
    <Box sx={{ overflowWrap: "anywhere" }}>
      {userName ? <Box sx={{ fontWeight: 700 }}>{userName}</Box> : null}
      <Box sx={{ typography: "caption", color: "text.caption" }}>{email}</Box>
    </Box>
  );
}

/** First letters of the first and last words of a name; one letter of an e-mail. */
function initials(name: string): string {
  const words = name.split(/\s+/).filter(Boolean);
  const chosen = words.length > 1 ? [words[0], words.at(-1)] : words;
  return chosen.map((word) => word?.[0]?.toUpperCase() ?? "").join("");
}
