import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeRelease } from '#contract/release.ts';
import { preflight } from './preflight.ts';
import { inspectServer } from './server.ts';
import { writeStatus } from './status.ts';

export interface FirstBoot {
  /** The server's root folder, `/` but in tests. */
  readonly root: string;
  /** The folder of the verified, unpacked release. */
  readonly release: string;
}

/**
 * Brings a server up. In this version it ends after the first stage: it judges the server and
 * reports; the stages that change a server are not part of it yet.
 * @throws LandfallError SERVER_UNFIT
 */
export async function firstBoot({ root, release: folder }: FirstBoot): Promise<void> {
  const release = decodeRelease(await readFile(join(folder, 'release.json')));
  await writeStatus(root, { stage: 'preflight', state: 'running', release: release.version });
  try {
    preflight(await inspectServer(root), release);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    await writeStatus(root, {
      stage: 'preflight',
      state: 'failed',
      release: release.version,
      message,
    });
    throw error;
  }
  await writeStatus(root, { stage: 'preflight', state: 'done', release: release.version });
}
