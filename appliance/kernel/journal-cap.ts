import type { Problem } from '#contract/errors.ts';
import { isFile, writeText } from '../host/files.ts';
import type { Context } from '../stage/stage.ts';
import type { Measure } from './measure.ts';

export const journalFile = 'etc/systemd/journald.conf.d/90-landfall.conf';

const settings: Readonly<Record<string, string>> = {
  Storage: 'persistent',
  SystemMaxUse: '500M',
  SystemKeepFree: '1G',
  MaxRetentionSec: '3month',
};
const text = [
  '# Made by Landfall.',
  '[Journal]',
  ...Object.entries(settings).map(([name, value]) => `${name}=${value}`),
  '',
].join('\n');

/** Makes the journal persistent and limits its size. */
export const journalCap: Measure = { check, apply, prove };

async function check({ host }: Context): Promise<string[]> {
  return (await isFile(host, journalFile, text))
    ? []
    : ['make the journal persistent, with at most 500 MB'];
}

async function apply({ host }: Context): Promise<void> {
  await writeText(host, journalFile, text);
  await host.run('systemctl', ['restart', 'systemd-journald']);
  await host.run('journalctl', ['--flush']);
}

async function prove({ host }: Context): Promise<Problem[]> {
  const { stdout } = await host.run('systemd-analyze', ['cat-config', 'systemd/journald.conf']);
  return Object.entries(settings).flatMap(([name, value]) => {
    const last = [...stdout.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].at(-1)?.[1];
    if (last === value) return [];
    const hint = 'See: systemd-analyze cat-config systemd/journald.conf';
    return [{ message: `journald setting ${name} is ${last ?? 'not set'}, not ${value}`, hint }];
  });
}
