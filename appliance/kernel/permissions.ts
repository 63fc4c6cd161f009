import { chmod, stat } from 'node:fs/promises';
import type { Problem } from '#contract/errors.ts';

import { isMissing } from '#files/open-regular.ts';
import type { Host } from '../host/host.ts';
import type { Context } from '../stage/stage.ts';
import type { KernelMeasure } from './measure.ts';

/** Maximum permissions of files that only root needs, as security audits expect. */
const modes: Readonly<Record<string, number>> = {
  'etc/crontab': 0o600,
  'etc/cron.d': 0o700,
  'etc/cron.hourly': 0o700,
  'etc/cron.daily': 0o700,
  'etc/cron.weekly': 0o700,
  'etc/cron.monthly': 0o700,
  'etc/ssh/sshd_config': 0o600,
  'etc/sudoers.d': 0o750,
  root: 0o700,
};

/** Restricts the permissions of root's files. */
export const permissions: KernelMeasure = {
  check: async ({ host }) => {
    const open = await wrong(host);
    return open.length === 0
      ? []
      : [`restrict the permissions of ${open.map(({ path }) => `/${path}`).join(', ')}`];
  },
  apply: async ({ host }) => {
    for (const { path, mode, actual } of await wrong(host)) {
      await chmod(host.path(path), actual & mode);
    }
  },
  prove: async ({ host }: Context): Promise<Problem[]> =>
    (await wrong(host)).map(({ path, actual }) => ({
      message: `/${path} has permissions ${actual.toString(8)}`,
      hint: undefined,
    })),
};

/** Returns the files with too many permissions; stricter ones are kept. */
async function wrong(host: Host) {
  const found = await Promise.all(
    Object.entries(modes).map(async ([path, mode]) => ({
      path,
      mode,
      actual: await modeOf(host, path),
    })),
  );
  return found.flatMap(({ path, mode, actual }) =>
    actual === undefined || (actual & ~mode) === 0 ? [] : [{ path, mode, actual }],
  );
}

async function modeOf(host: Host, path: string): Promise<number | undefined> {
  try {
    return (await stat(host.path(path))).mode & 0o7777;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
