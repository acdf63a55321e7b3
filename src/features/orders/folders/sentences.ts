import type { FolderFault } from "#integrations/folders/folder.ts";

/** Problems of folders, as admins read them in Settings and by mail. */
export const FAULTS: Readonly<Record<FolderFault, string>> = {
  unreachable: "The server can't be reached. Check its name and port.",
  not_answering: "The server doesn't answer in time.",
  host_key_changed:
    "The server's key isn't the one that was confirmed. Ask its operator whether it was changed, and confirm the new one only then.",
  sign_in_refused: "The server refuses the user, the password or the key.",
  folder_refused:
    "The server refuses the folders. Check their names, and that the user may read, write and rename there.",
  linked:
    "One of this company's folders on this machine is a link. Links aren't followed: ask the operator to make it a real folder.",
  sizes_differ: "The server sends files of another size than it lists.",
  address_not_allowed: "This server is in a private network, which isn't allowed here.",
  no_space:
    "This company has no space left for files of orders. They wait in the folder. Contact us for more space.",
};
