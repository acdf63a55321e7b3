/** Start of the keys in the query cache of everything in Admin. */
export const ADMIN_KEY = "admin";
