import { readlink } from 'node:fs/promises';
import { releasesFolder } from '#contract/server-paths.ts';
import type { Host } from '../host/host.ts';
import { isActive } from '../host/systemd.ts';

/** A TCP port that somebody listens on. */
export interface Listener {
  /** As `ss` writes it: `127.0.0.1`, `[::]`, `*`. */
  readonly address: string;
  readonly port: number;
  /** Who holds it, as the kernel names them; empty where they cannot be seen. */
  readonly processes: ReadonlyArray<{ readonly name: string; readonly pid: number }>;
}

/** systemd holds a port for the page of the first boot, and hands it over when somebody comes. */
const pageSocket = 'landfall-page.socket';

/** Reads `ss -H -tlnp`. */
export function parseListeners(text: string): Listener[] {
  return text.split('\n').flatMap((line) => {
    const found = /^LISTEN\s+\d+\s+\d+\s+(\S*):(\d+)\s/.exec(line);
    if (!found) return [];
    const [, address = '', port = ''] = found;
    const processes = [...line.matchAll(/\("([^"]*)",pid=(\d+),/g)].map(
      ([, name = '', pid = '']) => ({ name, pid: Number(pid) }),
    );
    return [{ address, port: Number(port), processes }];
  });
}

/** Whether somebody who listens is part of Landfall: a program of a release, or its page. */
export async function isOurs(host: Host, { processes }: Listener): Promise<boolean> {
  const own = await Promise.all(
    processes.map(({ pid }) => (pid === 1 ? isActive(host, pageSocket) : isOfRelease(host, pid))),
  );
  return own.includes(true);
}

async function isOfRelease(host: Host, pid: number): Promise<boolean> {
  try {
    return (await readlink(host.path('proc', `${pid}`, 'exe'))).startsWith(`/${releasesFolder}/`);
  } catch {
    // It has ended meanwhile.
    return false;
  }
}
