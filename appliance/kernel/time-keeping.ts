import type { Problem } from '#contract/errors.ts';
import type { Host } from '../host/host.ts';
import { installPackages } from '../host/packages/apt.ts';
import { enableNow, isActive } from '../host/systemd.ts';
import type { Context } from '../stage/stage.ts';
import type { Measure } from './measure.ts';

/** Any of them keeps the time; what the image has stays. */
const keepers = ['chrony', 'chronyd', 'ntpsec', 'ntp', 'openntpd', 'systemd-timesyncd'];
const usual = 'systemd-timesyncd';

/** Something that keeps the clock right: without it certificates stop working one day. */
export const timeKeeping: Measure = { needsKernel: 'the clock', check, apply, prove };

async function check({ host }: Context): Promise<string[]> {
  return (await keeper(host)) === undefined ? [`keep the time with ${usual}`] : [];
}

async function apply({ host, report }: Context): Promise<void> {
  // Another one of them would take the place of the one that is there.
  if (((await keeper(host)) ?? usual) !== usual) return;
  await installPackages(host, [usual], (line) => report.say(line));
  await enableNow(host, usual);
}

/** A network that blocks NTP is for its owner to know, and no reason to stop. */
async function prove({ host, report }: Context): Promise<Problem[]> {
  const active = await keeper(host);
  if (active === undefined) return [{ message: 'nothing keeps the clock right', hint: undefined }];
  const { stdout } = await host.run('timedatectl', [
    'show',
    '--property=NTPSynchronized',
    '--value',
  ]);
  if (stdout.trim() !== 'yes') {
    const text = `${active} has not set the clock yet; where NTP (123/udp) is blocked, give it a time server that can be reached`;
    report.warn({ kind: 'clock', subject: active, text });
  }
  return [];
}

async function keeper(host: Host): Promise<string | undefined> {
  const active = await Promise.all(keepers.map((unit) => isActive(host, unit)));
  return keepers.find((_, index) => active[index]);
}
