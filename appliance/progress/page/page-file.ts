import { dirname } from 'node:path';
import { pageFile } from '#contract/server-paths.ts';
import { makeFolder, writeText } from '../../host/files.ts';
import type { Host } from '../../host/host.ts';
import type { Status } from '../status.ts';
import type { ExpectedTimes } from './expected-times.ts';
import { renderPage } from './render-page.ts';

/** Writes the page atomically. */
export async function writePage(
  host: Host,
  status: Status,
  expected: ExpectedTimes,
): Promise<void> {
  await makeFolder(host, dirname(pageFile), { mode: 0o755 });
  await writeText(host, pageFile, renderPage(status, expected, Date.now()));
}
