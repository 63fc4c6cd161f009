import type { Problem } from '#contract/errors.ts';
import { install, isEnabled, isInPlace, type Service } from '../host/service.ts';
import type { Context } from '../stage/stage.ts';
import type { KernelMeasure } from './measure.ts';

/** Settings for logins, and for systemd's collector if it is installed. */
const settings: Service = {
  files: [
    {
      path: 'etc/security/limits.d/90-landfall.conf',
      text: '# Made by Landfall.\n* hard core 0\nroot hard core 0\n',
    },
    {
      path: 'etc/systemd/coredump.conf.d/90-landfall.conf',
      text: '# Made by Landfall.\n[Coredump]\nStorage=none\nProcessSizeMax=0\n',
    },
  ],
};
/** Ubuntu's collector sets core_pattern at boot, after sysctl.d. */
const collector = 'apport.service';

/** Disables core dumps, because they contain secrets. */
export const coreDumps: KernelMeasure = { check, apply, prove };

async function check({ host }: Context): Promise<string[]> {
  const isRight = (await isInPlace(host, settings)) && !(await isEnabled(host, collector));
  return isRight ? [] : ['disable core dumps'];
}

async function apply({ host }: Context): Promise<void> {
  await install(host, settings);
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
