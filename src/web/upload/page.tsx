import { UploadPage } from "#features/invoices/web/page.tsx";
import { lazyPart } from "#web/kit/lazy-part.tsx";

const Waiting = lazyPart(async () => (await import("#web/upload/waiting.tsx")).Waiting);

/** Upload page, with a line of what waits there and in Tracking. */
export const InvoicesPage = () => <UploadPage Waiting={Waiting} />;
