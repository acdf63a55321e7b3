import type { FolderFault } from "#integrations/folders/folder.ts";

/** Problems of folders, as admins read them in Settings and by mail. */
export const FAULTS: Readonly<Record<FolderFault, string>> = {
  unreachable: "The server can't be reached. Check its name and port.",
  not_answering: "The server didn't answer in time.",
  host_key_changed:
    "The server's key has changed since it was confirmed. Ask the server's operator whether that's right before you confirm the new key.",
  sign_in_refused: "The server rejected the user, password, or key.",
  folder_refused:
    "The server refused access to the folders. Check their names, and that the user can read, write, and rename files there.",
  linked:
    "One of this company's folders on this machine is a link, which we don't follow. Ask the operator to make it a real folder.",
  sizes_differ: "The server's files have different sizes than it lists. Ask its operator to check them.",
  address_not_allowed: "This server is in a private network, which isn't allowed here.",
  no_space:
    "This company has no space left for order files, so they stay in the folder. Contact us for more space.",
};
