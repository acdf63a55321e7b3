import * as z from "zod";
import { endpoint } from "#contract/endpoint.ts";
import { uploadCall } from "#features/invoices/contract.ts";

export const cancelUpload = endpoint({
  method: "POST",
  path: "/api/v1/invoices/:upload_id/cancel",
  summary: "Cancels an upload in the background: posted invoices stay, the rest aren't posted",
  ...uploadCall,
  status: 202,
  response: z.object({}),
});

export const answerUnresolved = endpoint({
  method: "POST",
  path: "/api/v1/invoices/:upload_id/invoices/:seq/answer",
  summary:
    "Answers whether an unconfirmed invoice is in QuickBooks; if it isn't, it is posted in the background",
  ...uploadCall,
  params: uploadCall.params.extend({ seq: z.coerce.number().int().min(0).max(1_000_000) }),
  body: z.object({ is_in_books: z.boolean() }),
  status: 202,
  response: z.object({}),
});
