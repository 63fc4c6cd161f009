import { mkdirSync } from 'node:fs';
import { LandfallError } from '#contract/errors.ts';
import type { BackupManifest } from '../../../../appliance/operations/backup/manifest.ts';
import type { Repository } from '../../../../appliance/operations/backup/repository.ts';
import { Restic } from '../../../../appliance/operations/backup/restic.ts';
import { Host } from '../../../../appliance/server/host/host.ts';
import { TemporaryHost } from '../../temporary-host.ts';

/** A snapshot as restic lists it; times in hours from now. */
export function snapshot(id: string, hours: number, tags: readonly string[] = []) {
  const time = new Date(Date.now() + hours * 3600_000).toISOString();
  return { id: id.padEnd(64, '0'), short_id: id, time, hostname: 'old-server', tags };
}

export const manifest: BackupManifest = {
  schema: 1,
  created: '2026-11-01T00:00:00.000Z',
  release: { product: 'landfall', version: '1.0.0', arch: 'amd64', manifest: null, url: null },
  ...{ dataEpoch: 1, revision: 'abc', users: 2, chats: 3, models: [], leftOut: [] },
};

/** The lines that restic prints before it fails. */
export class ResticFails {
  readonly lines: readonly string[];
  constructor(...lines: readonly string[]) {
    this.lines = lines;
  }
}

/** Returns what a command of restic prints, after its effects. @param args those after the common options */
type Simulated = (args: readonly string[], properties: readonly string[]) => unknown;

/**
 * A server with a repository in a folder, whose programs are simulated.
 * @param other returns what another program prints
 */
export function serverWith(
  simulated: Simulated,
  other: (file: string, args: readonly string[]) => string | Promise<string> = () => '',
) {
  const { root } = TemporaryHost.with({});
  mkdirSync(`${root}/mnt/backup`, { recursive: true });
  const host = new Host(root, async (file, args) => {
    const start = args.indexOf('/usr/bin/restic');
    const stdout = start < 0 ? await other(file, args) : textOf(simulated(commandOf(args), args));
    return { code: 0, stdout, stderr: '' };
  });
  const repository: Repository = {
    ...{ name: '/mnt/backup', url: '/repository', options: [], environment: {} },
    folder: [`${root}/mnt/backup`, '/repository'],
  };
  return { host, repository, restic: new Restic(host, repository) };
}

function commandOf(args: readonly string[]): readonly string[] {
  return args.slice(args.findIndex((each) => each.startsWith('/keys/')) + 1);
}

function textOf(printed: unknown): string {
  if (!(printed instanceof ResticFails)) {
    return typeof printed === 'string' ? printed : JSON.stringify(printed);
  }
  const problems = printed.lines.map((message) => ({ message }));
  throw new LandfallError('COMMAND_FAILED', 'restic exited with code 1', { problems });
}
