import { banSettingsFile } from '#contract/server-paths.ts';
import { isFile, writeText } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import { formatIgnored } from './ignored.ts';
import { actionFile, renderAction } from './render-action.ts';
import { filterFile, renderFilter } from './render-filter.ts';
import { ignoreCommandFile, renderIgnoreCommand } from './render-ignore-command.ts';
import { type BanFacts, jailsFile, renderJails } from './render-jails.ts';
import { logRotationFile, renderLogRotation } from './render-log-rotation.ts';

interface SettingsFile {
  readonly path: string;
  readonly content: string;
  readonly mode: number;
}

function filesOf(facts: BanFacts): SettingsFile[] {
  const plain = (path: string, content: string) => ({ path, content, mode: 0o644 });
  return [
    plain(banSettingsFile, formatIgnored(facts.ignored)),
    plain(actionFile, renderAction()),
    plain(filterFile, renderFilter()),
    plain(jailsFile, renderJails(facts)),
    plain(logRotationFile, renderLogRotation()),
    { path: ignoreCommandFile, content: renderIgnoreCommand(), mode: 0o755 },
  ];
}

/** Returns our files for fail2ban that are missing or changed. */
export async function differingFiles(host: Host, facts: BanFacts): Promise<SettingsFile[]> {
  const files = filesOf(facts);
  const same = await Promise.all(
    files.map(({ path, content, mode }) => isFile(host, path, content, { mode })),
  );
  return files.filter((_, index) => !same[index]);
}

/** Writes the files that are missing or changed. */
export async function writeFiles(host: Host, facts: BanFacts): Promise<void> {
  for (const { path, content, mode } of await differingFiles(host, facts)) {
    await writeText(host, path, content, { mode });
  }
}
