import { readlink } from 'node:fs/promises';
import { releasesFolder } from '#contract/server-paths.ts';
import type { Host } from '../host/host.ts';
import { isActive } from '../host/systemd.ts';

/** A TCP socket in the state LISTEN. */
export interface Listener {
  /** As `ss` writes it: `127.0.0.1`, `[::]`, `*`. */
  readonly address: string;
  readonly port: number;
  /** Processes that own the socket; empty if they are not visible. */
  readonly processes: ReadonlyArray<{ readonly name: string; readonly pid: number }>;
}

/** The socket unit through which systemd serves the page of the first boot. */
const pageSocket = 'landfall-page.socket';

/** Parses the output of `ss -H -tlnp`. */
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

/** Returns whether a listener belongs to Landfall: a program of a release, or the status page. */
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
    // The process has ended.
    return false;
  }
}
