/** Texts of the carrier callback. */
export const callbackWords = {
  title: "UPS connection",
  text: "This page is not finished yet. Linking a UPS account comes with a later version; nothing was linked.",
  settings: "Go to Settings",
} as const;
