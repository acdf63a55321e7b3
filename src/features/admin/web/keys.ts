/** First element of every query key in Admin. */
export const ADMIN_KEY = "admin";
