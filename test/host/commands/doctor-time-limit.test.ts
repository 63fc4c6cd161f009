import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPremises } from '../boot/first-booted.ts';
import type { Premises } from '../boot/premises.ts';
import { distributions } from '../distributions.ts';
import { hostNeeds } from '../host-needs.ts';
import type { FastHost } from '../machine/fast-host.ts';
import { codesOf, runDoctor } from './run-doctor.ts';

const [distribution = 'debian13'] = distributions(['debian13']);
const given = hostNeeds(distribution, 'serverBundle');

const current = '/opt/landfall/current';
/** The first boot has not installed the command yet. */
const program = `${current}/runtime/node ${current}/program/landfall.mjs`;

given.describe(`landfall doctor on ${distribution}, where a program hangs`, () => {
  let premises: Premises;
  let host: FastHost;

  beforeAll(async () => {
    premises = await openPremises(given, distribution);
    host = premises.host;
    // A release is enough, so the test does not wait for a first boot.
    await host.waitFor(`test -e ${current}`);
    await host.output('systemctl stop landfall-boot');
  });
  afterAll(() => premises?.close());

  it('ends within 30 seconds when a program hangs, and names the check', async () => {
    await host.output(
      `printf '#!/bin/sh\\nsleep 900\\n' >/usr/local/sbin/ufw && chmod 755 /usr/local/sbin/ufw`,
    );
    const began = performance.now();
    const seen = await runDoctor(host, '', program);
    expect(performance.now() - began).toBeLessThan(30_000);
    expect(codesOf(seen)).toContainEqual({ code: 'CHECK_TIMED_OUT', subject: 'firewall' });
    await host.output('rm /usr/local/sbin/ufw');
    expect(await host.output('pgrep -x sleep -a || true')).not.toContain('900');
  });
});
