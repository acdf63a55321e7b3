/** Where the possible duplicates are on the page, for links to them. */
export const DUPLICATES = "possible-duplicates";
