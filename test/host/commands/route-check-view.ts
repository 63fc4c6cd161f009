import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Premises } from '../boot/premises.ts';
import { addAlerts, leaksOf, type RouteAlerts } from './route-alerts.ts';

/** Tests the timer that checks the route of a server, and its alerts. */
export function itChecksItsRoute(premises: () => Premises): void {
  let alerts: RouteAlerts;
  beforeAll(async () => {
    alerts = await addAlerts(premises());
  });
  afterAll(() => alerts?.close());

  const checks = async (count: number) => {
    for (let done = 0; done < count; done += 1) await alerts.check();
  };

  it('runs the route check with a timer, whose unit works in its sandbox', async () => {
    const { host } = premises();
    expect(await host.output('systemctl is-active landfall-route.timer')).toBe('active');
    await checks(1);
    const state = JSON.parse(await host.output('cat /var/lib/landfall/route-state.json'));
    const found = Object.entries<{ state: string; failures: number }>(state.subjects);
    expect(found.map(([name, { failures }]) => [name, failures])).toEqual(
      expect.arrayContaining([
        ['the route', 0],
        ['packages of deb.debian.org', 0],
        ['provider openai', 0],
      ]),
    );
    expect(found.filter(([, { failures }]) => failures > 0)).toEqual([]);
  });

  it('sends one alert when a provider fails, and one when it works again', async () => {
    alerts.setProvider(false);
    await checks(2);
    expect(alerts.receiver.received).toEqual([]);
    await checks(2);
    expect(alerts.receiver.accepted).toEqual([
      expect.stringContaining('Failed: provider openai, since'),
    ]);
    // The relay, which this provider needs, is not in the bundle: the status has an exit code.
    const status = () => premises().host.output('landfall status || true');
    expect(await status()).toContain('route: provider openai failed since');
    expect(await premises().host.output('landfall report')).toContain('provider openai failed');
    alerts.setProvider(true);
    await checks(2);
    expect(alerts.receiver.accepted.slice(1)).toEqual([
      expect.stringContaining('Working again: provider openai'),
    ]);
    expect(await status()).toContain('route: working');
  });

  it('keeps the secret of the target in its own file', async () => {
    expect(await premises().host.output('landfall alert test')).toContain('sent');
    expect(await leaksOf(premises())).toEqual(['/etc/landfall/secrets/alert-webhook-url']);
  });
}
