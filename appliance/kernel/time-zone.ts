import { existsSync } from 'node:fs';
import { readlink } from 'node:fs/promises';
import { LandfallError, type Problem } from '#contract/errors.ts';
import type { Host } from '../host/host.ts';
import { installPackages } from '../host/packages/apt.ts';
import { install, isInPlace, type Service } from '../host/service.ts';
import { replaceLink } from '../shared/files/replace-link.ts';
import type { Context } from '../stage/stage.ts';
import type { KernelMeasure } from './measure.ts';

const database = 'usr/share/zoneinfo';
const link = 'etc/localtime';
/** Debian's tools read the name here. */
const nameOf = (timezone: string): Service => ({
  files: [{ path: 'etc/timezone', text: `${timezone}\n` }],
});

/** Sets the time zone of the site, in which reboots, timers and logs are. Without one, keeps it. */
export const timeZone: KernelMeasure = { check, apply, prove };

async function check({ host, site: { timezone } }: Context): Promise<string[]> {
  if (timezone === undefined || (await isSet(host, timezone))) return [];
  return [`set the time zone to ${timezone}`];
}

async function apply({ host, site: { timezone }, report }: Context): Promise<void> {
  if (timezone === undefined) return;
  if (!existsSync(host.path(database))) {
    await installPackages(host, ['tzdata'], (line) => report.say(line));
  }
  if (!existsSync(host.path(`${database}/${timezone}`))) {
    throw new LandfallError('HOST_SETTINGS', `the server does not have the time zone ${timezone}`, {
      hint: 'Set timezone to a name that `timedatectl list-timezones` prints on the server.',
    });
  }
  await replaceLink(host.path(link), `/${database}/${timezone}`);
  await install(host, nameOf(timezone));
}

async function prove({ host, site: { timezone } }: Context): Promise<Problem[]> {
  if (timezone === undefined || (await isSet(host, timezone))) return [];
  return [{ message: `/${link} is not ${timezone}`, hint: 'Run `timedatectl set-timezone`.' }];
}

/** Relative links, as timedatectl writes them, count too. */
async function isSet(host: Host, timezone: string): Promise<boolean> {
  const target = await readlink(host.path(link)).catch(() => undefined);
  return (
    target?.endsWith(`/zoneinfo/${timezone}`) === true && (await isInPlace(host, nameOf(timezone)))
  );
}
