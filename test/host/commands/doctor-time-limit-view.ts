import { expect, it } from 'vitest';
import type { Premises } from '../boot/premises.ts';
import { codesOf, runDoctor } from './run-doctor.ts';

/** Tests `landfall doctor` where a program hangs. */
export function itLimitsTheTimeOfChecks(premises: () => Premises): void {
  it('ends within 30 seconds when a program hangs, and names the check', async () => {
    const { host } = premises();
    await host.output(
      `printf '#!/bin/sh\\nsleep 900\\n' >/usr/local/sbin/ufw && chmod 755 /usr/local/sbin/ufw`,
    );
    const began = performance.now();
    const seen = await runDoctor(host);
    expect(performance.now() - began).toBeLessThan(30_000);
    expect(codesOf(seen)).toContainEqual({ code: 'CHECK_TIMED_OUT', subject: 'firewall' });
    await host.output('rm /usr/local/sbin/ufw');
    expect(await host.output('pgrep -x sleep -a || true')).not.toContain('900');
  });
}
