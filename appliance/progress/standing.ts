import { bootstrapStatusFile, installedMark } from '#contract/server-paths.ts';
import { readText } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import { plainLine } from '../host/plain-line.ts';
import { readStatus, type Status } from './status.ts';

/** All that can be known of where a server stands. */
export type Standing =
  /** The program of the release has begun. */
  | { readonly kind: 'stages'; readonly status: Status }
  /** The release is still being fetched and verified. */
  | { readonly kind: 'bootstrap'; readonly line: string }
  /** It was brought up before it was last switched on. */
  | { readonly kind: 'installed'; readonly release: string }
  | { readonly kind: 'unknown' };

/** Reads where the server stands. Needs no rights. */
export async function readStanding(host: Host): Promise<Standing> {
  const status = await readStatus(host);
  if (status) return { kind: 'stages', status };
  const installed = await firstLine(host, installedMark);
  if (installed) return { kind: 'installed', release: installed };
  const line = await firstLine(host, bootstrapStatusFile);
  return line ? { kind: 'bootstrap', line } : { kind: 'unknown' };
}

async function firstLine(host: Host, path: string): Promise<string> {
  return plainLine((await readText(host, path))?.split('\n')[0] ?? '');
}
