import { LandfallError } from '#contract/errors.ts';
import { type ChatFacts, chatFactsSchema } from '../../server/chats/chat-facts.ts';
import { runningContainers } from '../../server/chats/containers.ts';
import { copySpace, expectSpaceForCopy } from '../../server/chats/data-size.ts';
import { runOnVolume, volumeFolder } from '../../server/chats/sandbox.ts';
import { backupCopy } from '../../server/chats/volume-copy.ts';
import type { Host } from '../../server/host/host.ts';

/** The copy of the chats for a backup. */
interface PausedCopy {
  /** Absolute path of the copied data. */
  readonly folder: string;
  readonly facts: ChatFacts;
  /** How long the chat UI was paused, in milliseconds. */
  readonly paused: number;
  /** Bytes that were copied. */
  readonly size: number;
  /** Removes the copy. */
  remove(): Promise<void>;
}

/** Resumes the chat UI if this program is killed while it is paused. */
const guard = 'landfall-unpause';
/** Bytes per second of a slow disk, and seconds for the start of the task. */
const slowest = 10 << 20;
const start = 60;

/**
 * Copies the data of the chat UI while it is paused: a state as after a power cut, which its databases
 * and its index survive. Uploads are links. Then the copy is checked in the sandbox.
 * @param releaseFolder absolute path
 * @returns undefined if there is no chat UI
 * @throws LandfallError DISK_FULL, STATE_INVALID for a damaged database, COMMAND_FAILED
 */
export async function copyWhilePaused(
  host: Host,
  releaseFolder: string,
): Promise<PausedCopy | undefined> {
  const folder = await volumeFolder(host, 'ui-data');
  if (!folder) return undefined;
  const task = (name: 'backup-copy' | 'backup-check') =>
    runOnVolume(host, releaseFolder, name, folder, 'backup');
  const remove = async () => {
    await host.run('rm', ['-rf', '--', `${folder}/${backupCopy}`], { seconds: 600 });
  };
  const space = await copySpace(host);
  expectSpaceForCopy(space);
  const { size } = space;
  try {
    const paused = await whilePaused(host, start + size / slowest, () => task('backup-copy'));
    const facts = chatFactsSchema.parse(JSON.parse(await task('backup-check')));
    return { folder: `${folder}/${backupCopy}`, facts, paused, size, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/**
 * Does something while the chat UI is paused. A stopped one stays stopped. One that a killed run has left
 * paused is resumed.
 * @param limit seconds after which systemd resumes it
 * @returns milliseconds of the pause
 */
async function whilePaused(
  host: Host,
  limit: number,
  work: () => Promise<unknown>,
): Promise<number> {
  const [container] = await runningContainers(host, 'ui');
  if (container === undefined) {
    await work();
    return 0;
  }
  const stopGuard = () => host.run('systemctl', ['stop', `${guard}.timer`], { accept: [5] });
  await stopGuard();
  const timer = [`--on-active=${Math.ceil(limit)}`, `--unit=${guard}`, '--quiet'];
  await host.run('systemd-run', [...timer, 'docker', 'unpause', container]);
  const began = performance.now();
  await host.run('docker', ['pause', container], { accept: [1] });
  try {
    if (await isWriting(host, container)) throw notPaused();
    await work();
    // If the guard has resumed it, the copy may mix two states.
    if (await isWriting(host, container)) throw notPaused();
  } finally {
    await host.run('docker', ['unpause', container], { accept: [1] });
    await stopGuard();
  }
  return Math.round(performance.now() - began);
}

async function isWriting(host: Host, container: string): Promise<boolean> {
  const format = '{{.State.Running}} {{.State.Paused}}';
  const args = ['inspect', '--format', format, container];
  const { stdout } = await host.run('docker', args, { accept: [1] });
  return stdout.trim() === 'true false';
}

function notPaused(): LandfallError {
  return new LandfallError('BACKUP_FAILED', 'the chat UI could not be paused for the copy', {
    hint: {
      en: 'Check the logs: sudo journalctl --unit docker --lines 50',
      zh: '查看日志：sudo journalctl --unit docker --lines 50',
    },
  });
}
