import { describe, expect, it } from 'vitest';
import { readText } from '../../../appliance/host/files.ts';
import { hasRouteTimer, installRouteTimer } from '../../../appliance/route/timer.ts';
import { TemporaryHost } from '../temporary-host.ts';

const active = 'systemctl is-active --quiet landfall-route.timer';
const systemd = {
  'systemctl daemon-reload': '',
  'systemctl enable --quiet landfall-route.timer': '',
  'systemctl restart landfall-route.timer': '',
  [active]: 0,
};

describe('the timer of route checks', () => {
  it('runs every 15 minutes, at a different minute on each server', async () => {
    const host = TemporaryHost.with({}, systemd);
    expect(await hasRouteTimer(host)).toBe(false);
    await installRouteTimer(host);
    expect(await hasRouteTimer(host)).toBe(true);
    const text = await readText(host, 'etc/systemd/system/landfall-route.timer');
    expect(text).toContain('OnCalendar=*:0/15\nRandomizedDelaySec=10min\nFixedRandomDelay=true\n');
  });

  it('runs only after a first boot, in a sandbox', async () => {
    const host = TemporaryHost.with({}, systemd);
    await installRouteTimer(host);
    const text = await readText(host, 'etc/systemd/system/landfall-route.service');
    expect(text).toContain('ExecStart=/usr/local/bin/landfall route test --scheduled\n');
    expect(text).toContain('ConditionPathExists=/var/lib/landfall/installed\n');
    expect(text).toContain('ProtectSystem=strict\n');
    expect(text).toContain('NoNewPrivileges=yes\n');
  });

  it('is installed once, and started again if it is stopped', async () => {
    const host = TemporaryHost.with({}, systemd);
    await installRouteTimer(host);
    host.ran.length = 0;
    await installRouteTimer(host);
    expect(host.ran).toEqual([active]);
    const stopped = TemporaryHost.with({}, { ...systemd, [active]: 3 });
    await installRouteTimer(stopped);
    await installRouteTimer(stopped);
    expect(stopped.ran.filter((line) => line.includes('restart'))).toHaveLength(2);
  });
});
