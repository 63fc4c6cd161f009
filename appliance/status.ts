import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where a server stands, for people, monitors and `landfall status`. */
export interface Status {
  readonly stage: string;
  readonly state: 'running' | 'done' | 'failed';
  /** Version of the release that is being set up. */
  readonly release: string;
  readonly message?: string;
}

/** Writes `/run/landfall/status.json`; a reader sees the old text or the new one, never half. */
export async function writeStatus(root: string, status: Status): Promise<void> {
  const folder = join(root, 'run/landfall');
  const file = join(folder, 'status.json');
  await mkdir(folder, { recursive: true });
  await writeFile(`${file}.new`, `${JSON.stringify(status, null, 2)}\n`);
  await rename(`${file}.new`, file);
}
