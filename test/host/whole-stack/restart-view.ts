import { expect, it } from 'vitest';
import type { WholeStack } from './whole-stack.ts';

/** Tests `restart: unless-stopped` on a server, with its own Docker (SPEC 3.3). */
export function itRestarts(stack: () => WholeStack): void {
  it.concurrent.each(['engine', 'gateway'])('restarts %s', async (component) => {
    const { host } = stack().premises;
    const show = (field: string) => `docker inspect -f '{{${field}}}' landfall-${component}`;
    const before = await host.output(show('.State.Pid'));
    await host.output(['kill', '-KILL', before]);
    const isAnother = `now=$(${show('.State.Pid')}) && [ "$now" -gt 0 ] && [ "$now" != ${before} ]`;
    await host.waitFor(isAnother, 120);
    await host.waitFor(`[ "$(${show('.State.Health.Status')})" = healthy ]`, 300);
    expect(Number(await host.output(show('.RestartCount')))).toBeGreaterThan(0);
  });
}
