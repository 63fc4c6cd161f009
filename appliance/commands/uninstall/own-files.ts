import { rm } from 'node:fs/promises';
import { commandFile, compiledCodeFolder } from '#contract/server-paths.ts';
import type { Host } from '../../server/host/host.ts';
import { completionFile, manualFile } from '../../server/host/install-command.ts';

/** Folders in which Landfall has files of its own, with its name in theirs; nothing else there is touched. */
const folders = [
  'etc/apt/apt.conf.d',
  'etc/apt/keyrings',
  'etc/apt/sources.list.d',
  'etc/cloud/cloud.cfg.d',
  'etc/fail2ban/action.d',
  'etc/fail2ban/filter.d',
  'etc/fail2ban/filter.d/ignorecommands',
  'etc/fail2ban/jail.d',
  'etc/issue.d',
  'etc/logrotate.d',
  'etc/systemd/system/docker.service.d',
  'etc/systemd/system/nftables.service.d',
  'etc/update-motd.d',
] as const;

/** Security upgrades go on, from the repository of Docker as well. */
const kept = /(?:52landfall-upgrades|landfall-docker\.(?:asc|sources))$/;

const units = 'etc/systemd/system';
const unitName = /^landfall-[\w@.-]+\.(?:service|timer|socket|path|target)$/;

/** Stops and removes the units of Landfall: none may start what is gone. */
export async function removeOwnUnits(host: Host): Promise<void> {
  const names = (await host.namesIn(units)).filter((name) => unitName.test(name));
  // A template has no instance of its own name.
  const stopped = names.filter((name) => !name.includes('@.'));
  if (stopped.length > 0)
    await host.succeeds('systemctl', ['disable', '--quiet', '--now', ...stopped]);
  for (const name of names) {
    for (const path of [name, `${name}.d`])
      await rm(host.path(units, path), { recursive: true, force: true });
  }
  await host.run('systemctl', ['daemon-reload']);
}

/** Returns the files and folders to remove, the command last. */
export async function ownFiles(host: Host, withData: boolean): Promise<string[]> {
  const found = await Promise.all(
    folders.map(async (folder) =>
      (await host.namesIn(folder))
        .filter((name) => name.includes('landfall') && !kept.test(name))
        .map((name) => `${folder}/${name}`),
    ),
  );
  return [
    ...found.flat(),
    ...[completionFile, manualFile, compiledCodeFolder],
    ...(withData ? ['var/lib/landfall', 'etc/landfall'] : []),
    'opt/landfall',
    commandFile,
  ];
}
