import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { unmountBelow } from './unmount.ts';

/** The folders of one run: what it keeps for the next one, and what goes when it ends. */
export interface Workspace {
  /** Survives: chroots and images, made once. */
  readonly cache: string;
  /** Goes: storage of daemons, on a disk. */
  readonly run: string;
  /** Goes: sockets, whose path may have 107 bytes at most (unix(7)). */
  readonly sockets: string;
  remove(): Promise<void>;
}

const socketPrefix = join(tmpdir(), 'landfall-');
const socketsRecord = 'sockets';

/** Makes the folders, and removes those of runs that were killed before they could. */
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

/** The folder of this process's run. What lies in it goes with it, also when it is killed. */
export function runFolder(): string {
  return join(cacheFolder(), `run-${process.pid}`);
}

/** Where runs keep what the next ones need. */
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

/** The folder of the sockets first: only the run's own folder tells where it is. */
async function removeRun(run: string): Promise<void> {
  const sockets = await readFile(join(run, socketsRecord), 'utf8').catch(() => '');
  if (sockets.startsWith(socketPrefix)) await rm(sockets, { recursive: true, force: true });
  await unmountBelow(run);
  await rm(run, { recursive: true, force: true });
}
