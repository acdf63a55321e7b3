/** Texts of the Admin page. */
export const adminWords = {
  title: "Admin",
  text: "This page is not finished yet. Companies, users, uploads and jobs, and the health of the services will stand here.",
} as const;
