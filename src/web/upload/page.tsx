import { UploadPage } from "#features/invoices/web/page.tsx";
import { Waiting } from "#web/upload/waiting.tsx";

/** Upload page, with a line of what waits there and in Tracking. */
export const InvoicesPage = () => <UploadPage Waiting={Waiting} />;
