import { setTimeout as sleep } from 'node:timers/promises';
import { restoredFile } from '#contract/server-paths.ts';
import { inLanguage } from '#contract/text/language.ts';
import { readText } from '../../server/host/files.ts';
import { installedRelease } from '../../server/stage/installed.ts';
import type { Context } from '../../server/stage/stage.ts';

/** Returns whether a new server still needs the backup that its site names. */
export async function needsRestore({
  host,
  site,
}: Pick<Context, 'host' | 'site'>): Promise<boolean> {
  if (!site.restore || (await readText(host, restoredFile)) !== undefined) return false;
  return (await installedRelease(host)) === undefined;
}

/** Waits between two looks for the restored backup. */
const second = () => sleep(1000);

/** A first boot waits until `landfall restore` has brought the backup, and goes on. */
export async function waitForRestore(
  context: Pick<Context, 'host' | 'site' | 'report'>,
  pause: () => Promise<void> = second,
): Promise<void> {
  if (!(await needsRestore(context))) return;
  const { host, report } = context;
  report.waitFor(
    'restore',
    'waiting for a backup; restore it on this server: sudo landfall restore',
  );
  await host.outside.measure(async () => {
    while (await needsRestore(context)) await pause();
  });
  report.say(inLanguage({ en: 'the backup is restored', zh: '备份已恢复' }));
}
