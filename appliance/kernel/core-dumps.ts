import type { Problem } from '#contract/errors.ts';
import { isFile, writeText } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import { isEnabled } from '../host/systemd.ts';
import type { Context } from '../stage/stage.ts';
import type { Measure } from './measure.ts';

/** Settings for logins, and for systemd's collector if it is installed. */
const files: Readonly<Record<string, string>> = {
  'etc/security/limits.d/90-landfall.conf':
    '# Made by Landfall.\n* hard core 0\nroot hard core 0\n',
  'etc/systemd/coredump.conf.d/90-landfall.conf':
    '# Made by Landfall.\n[Coredump]\nStorage=none\nProcessSizeMax=0\n',
};
/** Ubuntu's collector sets core_pattern at boot, after sysctl.d. */
const collector = 'apport.service';

/** Disables core dumps, because they contain secrets. */
export const coreDumps: Measure = { check, apply, prove };

async function check({ host }: Context): Promise<string[]> {
  const missing = (await unwritten(host)).length > 0 || (await isEnabled(host, collector));
  return missing ? ['disable core dumps'] : [];
}

async function apply({ host }: Context): Promise<void> {
  for (const path of await unwritten(host)) await writeText(host, path, files[path] ?? '');
  if (await isEnabled(host, collector)) {
    await host.run('systemctl', ['disable', '--now', collector]);
  }
}

/** Checks the limit of a new login. */
async function prove({ host }: Context): Promise<Problem[]> {
  const { stdout } = await host.run('runuser', ['-u', 'nobody', '--', 'sh', '-c', 'ulimit -Hc']);
  const limit = stdout.trim();
  if (limit === '0') return [];
  const hint = 'Check for a later file in /etc/security/limits.d.';
  return [{ message: `core dumps are enabled for logins (limit ${limit})`, hint }];
}

async function unwritten(host: Host): Promise<string[]> {
  const paths = Object.keys(files);
  const written = await Promise.all(paths.map((path) => isFile(host, path, files[path] ?? '')));
  return paths.filter((_, index) => !written[index]);
}
