import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { unmountBelow } from './unmount.ts';

/** The folders of one run: caches for later runs, and temporary files. */
export interface Workspace {
  /** Persistent: chroots and images. */
  readonly cache: string;
  /** Temporary: storage of daemons, on a disk. */
  readonly run: string;
  /** Temporary: sockets, whose path is limited to 107 bytes (unix(7)). */
  readonly sockets: string;
  remove(): Promise<void>;
}

const socketPrefix = join(tmpdir(), 'landfall-');
const socketsRecord = 'sockets';

/** Creates the folders, and removes those of killed runs. */
export async function openWorkspace(): Promise<Workspace> {
  const cache = cacheFolder();
  await mkdir(cache, { recursive: true, mode: 0o700 });
  await sweep(cache);
  const run = runFolder();
  await mkdir(run, { mode: 0o700 });
  const sockets = await mkdtemp(socketPrefix);
  await writeFile(join(run, socketsRecord), sockets);
  return { cache, run, sockets, remove: () => removeRun(run) };
}

/** Temporary folder of this process. It is removed at the end, also after a kill. */
export function runFolder(): string {
  return join(cacheFolder(), `run-${process.pid}`);
}

/** Cache folder for later runs. */
export function cacheFolder(): string {
  const { LANDFALL_TEST_CACHE: own, XDG_CACHE_HOME: user } = process.env;
  return own || join(user || join(homedir(), '.cache'), 'landfall-test');
}

async function sweep(cache: string): Promise<void> {
  for (const name of await readdir(cache)) {
    const pid = Number(/^run-(\d+)$/.exec(name)?.[1]);
    if (pid > 0 && !isAlive(pid)) await removeRun(join(cache, name));
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Removes the folder of the sockets first: only the run's own folder records its path. */
async function removeRun(run: string): Promise<void> {
  const sockets = await readFile(join(run, socketsRecord), 'utf8').catch(() => '');
  if (sockets.startsWith(socketPrefix)) await rm(sockets, { recursive: true, force: true });
  await unmountBelow(run);
  await rm(run, { recursive: true, force: true });
}
