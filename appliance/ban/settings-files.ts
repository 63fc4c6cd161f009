import { banSettingsFile } from '#contract/server-paths.ts';
import { isFile, writeText } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import { formatIgnored } from './ignored.ts';
import { actionFile, renderAction } from './render-action.ts';
import { filterFile, renderFilter } from './render-filter.ts';
import { jailsFile, renderJails } from './render-jails.ts';
import { logRotationFile, renderLogRotation } from './render-log-rotation.ts';
import { ownerCommandFile, renderOwnerCommand } from './render-owner-command.ts';

export interface BanFacts {
  /** Ports of sshd. */
  readonly ssh: readonly number[];
  /** Addresses and ranges that are never banned. */
  readonly ignored: readonly string[];
}

interface SettingsFile {
  readonly path: string;
  readonly content: string;
  readonly mode: number;
}

function filesOf({ ssh, ignored }: BanFacts): SettingsFile[] {
  const plain = (path: string, content: string) => ({ path, content, mode: 0o644 });
  return [
    plain(banSettingsFile, formatIgnored(ignored)),
    plain(actionFile, renderAction()),
    plain(filterFile, renderFilter()),
    plain(jailsFile, renderJails(ssh, ignored)),
    plain(logRotationFile, renderLogRotation()),
    { path: ownerCommandFile, content: renderOwnerCommand(), mode: 0o755 },
  ];
}

/** Which of our files for fail2ban are not as they should be. */
export async function differingFiles(host: Host, facts: BanFacts): Promise<SettingsFile[]> {
  const files = filesOf(facts);
  const same = await Promise.all(
    files.map(({ path, content, mode }) => isFile(host, path, content, { mode })),
  );
  return files.filter((_, index) => !same[index]);
}

/** Writes those files. */
export async function writeFiles(host: Host, facts: BanFacts): Promise<void> {
  for (const { path, content, mode } of await differingFiles(host, facts)) {
    await writeText(host, path, content, { mode });
  }
}
