import { LandfallError } from '#contract/errors.ts';
import { formatBytes } from '#contract/text/format-bytes.ts';
import { freeSpace } from '../host/free-space.ts';
import type { Host } from '../host/host.ts';
import { volumeFolder } from './sandbox.ts';

/** Bytes that must stay free beside the copy. */
const reserve = 512 << 20;

/** The space that the copy of the chats needs. Bytes. */
export interface CopySpace {
  readonly size: number;
  readonly free: number;
}

/** Returns the size of what an update copies: the data of the chat UI without uploads, which are linked. */
export async function copySpace(host: Host): Promise<CopySpace> {
  const folder = await volumeFolder(host, 'ui-data');
  if (!folder) return { size: 0, free: Number.MAX_SAFE_INTEGER };
  const args = ['--bytes', '--summarize', '--exclude=uploads', `${folder}/_data`];
  const { stdout } = await host.run('du', args, { seconds: 600, accept: [1] });
  // Relative to the root folder of the host.
  const { free } = await freeSpace(host, folder.slice(host.root.length));
  return { size: Number.parseInt(stdout, 10) || 0, free };
}

/** @throws LandfallError DISK_FULL before anything is closed */
export function expectSpaceForCopy({ size, free }: CopySpace): void {
  if (free >= size + reserve) return;
  const message = `the copy of the chats needs ${formatBytes(size + reserve)}, but ${formatBytes(free)} are free`;
  throw new LandfallError('DISK_FULL', message, {
    hint: 'Free some space: `sudo landfall doctor` names what is large. Nothing was changed.',
  });
}
