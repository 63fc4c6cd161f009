import type { Problem } from '#contract/errors.ts';
import { serviceMeasure } from '../stage/measure.ts';
import type { Context } from '../stage/stage.ts';
import type { KernelMeasure } from './measure.ts';

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

const settingsFile = serviceMeasure(() => ({
  files: [{ path: journalFile, text }],
  summary: 'make the journal persistent, with at most 500 MB',
}));

/** Makes the journal persistent and limits its size. */
export const journalCap: KernelMeasure = { ...settingsFile, apply, prove };

async function apply(context: Context): Promise<void> {
  const { host } = context;
  await settingsFile.apply(context);
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
