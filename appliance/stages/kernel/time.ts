import { existsSync } from 'node:fs';
import { readlink } from 'node:fs/promises';
import { LandfallError } from '#contract/errors.ts';
import type { Site } from '#contract/site/site.ts';
import { inLanguage } from '#contract/text/language.ts';
import { cityOf } from '#contract/text/time-zone.ts';
import type { Host } from '../../server/host/host.ts';
import { install, isActive, isInPlace, type Service } from '../../server/host/service.ts';
import { replaceLink } from '../../shared/files/replace-link.ts';
import type { KernelMeasure } from './measure.ts';

/** Supported time services; one that the image has is kept. */
const keepers = ['chrony', 'chronyd', 'ntpsec', 'ntp', 'openntpd', 'systemd-timesyncd'];
const defaultKeeper = 'systemd-timesyncd';
const service: Service = {
  packages: [defaultKeeper],
  files: [],
  units: [{ name: defaultKeeper, restart: 'always' }],
};

/** Ensures that a time service runs, because TLS needs a correct clock. */
export const timeKeeping: KernelMeasure = {
  needsKernel: { en: 'the clock', zh: '时钟' },

  async check({ host }) {
    return (await keeper(host)) === undefined
      ? [
          inLanguage({
            en: `synchronise the clock with ${defaultKeeper}`,
            zh: `用 ${defaultKeeper} 同步时钟`,
          }),
        ]
      : [];
  },

  async apply({ host, report }) {
    // The package would replace another time service.
    if (((await keeper(host)) ?? defaultKeeper) !== defaultKeeper) return;
    await install(host, service, report);
  },

  /** Checks the time service. Blocked NTP is only a warning. */
  async prove({ host, report }) {
    const active = await keeper(host);
    if (active === undefined) return [{ message: 'no time service is running' }];
    const { stdout } = await host.run('timedatectl', [
      'show',
      '--property=NTPSynchronized',
      '--value',
    ]);
    if (stdout.trim() !== 'yes') {
      const text = {
        en: `${active} has not synchronised the clock yet; if NTP (123/udp) is blocked, configure a time server that can be reached`,
        zh: `${active} 还没有同步时钟；如果 NTP（123/udp）被拦截，请配置能访问的时间服务器`,
      };
      report.warn({ kind: 'clock', subject: active, text });
    }
    return [];
  },
};

async function keeper(host: Host): Promise<string | undefined> {
  const active = await Promise.all(keepers.map((unit) => isActive(host, unit)));
  return keepers.find((_, index) => active[index]);
}

const database = 'usr/share/zoneinfo';
const link = 'etc/localtime';
/** Debian's tools read the name here. */
const nameOf = (timezone: string): Service => ({
  files: [{ path: 'etc/timezone', text: `${timezone}\n` }],
});

/** Sets the time zone of the site, in which reboots, timers and logs are. Without one, keeps it. */
export const timeZone: KernelMeasure = {
  async check({ host, site }) {
    const timezone = nameHere(host, site);
    if (timezone === undefined || (await isSet(host, timezone))) return [];
    return [inLanguage({ en: `set the time zone to ${timezone}`, zh: `把时区设为 ${timezone}` })];
  },

  async apply({ host, site, report }) {
    if (site.timezone === undefined) return;
    if (!existsSync(host.path(database))) {
      await install(host, { packages: ['tzdata'] }, report);
    }
    const timezone = nameHere(host, site) ?? site.timezone;
    if (!existsSync(host.path(`${database}/${timezone}`))) {
      throw new LandfallError(
        'HOST_SETTINGS',
        `the server does not have the time zone ${timezone}`,
        {
          hint: {
            en: 'Set timezone to a name that `timedatectl list-timezones` prints on the server.',
            zh: '把 timezone 设为服务器上 `timedatectl list-timezones` 列出的名称。',
          },
        },
      );
    }
    await replaceLink(host.path(link), `/${database}/${timezone}`);
    await install(host, nameOf(timezone));
  },

  async prove({ host, site }) {
    const timezone = nameHere(host, site);
    if (timezone === undefined || (await isSet(host, timezone))) return [];
    return [{ message: `/${link} is not ${timezone}`, hint: 'Run `timedatectl set-timezone`.' }];
  },
};

/** Returns the time zone of the site under a name that this server has. */
function nameHere(host: Host, { timezone }: Pick<Site, 'timezone'>): string | undefined {
  if (timezone === undefined || existsSync(host.path(database, timezone))) return timezone;
  return cityOf(timezone);
}

/** Relative links, as timedatectl writes them, count too. */
async function isSet(host: Host, timezone: string): Promise<boolean> {
  const target = await readlink(host.path(link)).catch(() => undefined);
  return (
    target?.endsWith(`/zoneinfo/${timezone}`) === true && (await isInPlace(host, nameOf(timezone)))
  );
}
