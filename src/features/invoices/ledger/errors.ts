import { notFound } from "#platform/errors.ts";

export const noUpload = () =>
  notFound("This company has no such upload. Reload the page to see its uploads.");
