import { expectedTimes } from '../../../../../appliance/server/progress/page/expected-times.ts';
import { renderPage } from '../../../../../appliance/server/progress/page/page-file.ts';
import type { Status } from '../../../../../appliance/server/progress/status.ts';

/** The times of a full bundle with 2 GB of images and 3 GB of models. */
export const expected = expectedTimes({ kind: 'full', images: 2e9, models: 3e9 });

/** Renders the page of a status at its last update. */
export function pageOf(status: Status, now = Date.parse(status.updated), url?: string): string {
  return renderPage(status, expected, now, url);
}
