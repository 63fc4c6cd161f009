import type { Problem } from '#contract/errors.ts';
import type { Host } from '../host/host.ts';
import { install, isActive, type Service } from '../host/service.ts';
import type { Context } from '../stage/stage.ts';
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
export const timeKeeping: KernelMeasure = { needsKernel: 'the clock', check, apply, prove };

async function check({ host }: Context): Promise<string[]> {
  return (await keeper(host)) === undefined ? [`synchronise the clock with ${defaultKeeper}`] : [];
}

async function apply({ host, report }: Context): Promise<void> {
  // The package would replace another time service.
  if (((await keeper(host)) ?? defaultKeeper) !== defaultKeeper) return;
  await install(host, service, report);
}

/** Checks the time service. Blocked NTP is only a warning. */
async function prove({ host, report }: Context): Promise<Problem[]> {
  const active = await keeper(host);
  if (active === undefined) return [{ message: 'no time service is running', hint: undefined }];
  const { stdout } = await host.run('timedatectl', [
    'show',
    '--property=NTPSynchronized',
    '--value',
  ]);
  if (stdout.trim() !== 'yes') {
    const text = `${active} has not synchronised the clock yet; if NTP (123/udp) is blocked, configure a time server that can be reached`;
    report.warn({ kind: 'clock', subject: active, text });
  }
  return [];
}

async function keeper(host: Host): Promise<string | undefined> {
  const active = await Promise.all(keepers.map((unit) => isActive(host, unit)));
  return keepers.find((_, index) => active[index]);
}
