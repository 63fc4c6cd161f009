import { describe, expect, it } from 'vitest';
import { readText } from '../../../../appliance/server/host/files.ts';
import { install, isInPlace } from '../../../../appliance/server/host/service.ts';
import { routeTimer } from '../../../../appliance/stages/route/timer.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const systemd = {
  'systemctl daemon-reload': '',
  'systemctl enable --quiet landfall-route.timer': '',
  'systemctl restart landfall-route.timer': '',
  'systemctl is-': 0,
};

describe('the timer of route checks', () => {
  it('runs every 15 minutes, at a different minute on each server', async () => {
    const host = TemporaryHost.with({}, systemd);
    expect(await isInPlace(host, routeTimer)).toBe(false);
    await install(host, routeTimer);
    expect(await isInPlace(host, routeTimer)).toBe(true);
    const text = await readText(host, 'etc/systemd/system/landfall-route.timer');
    expect(text).toContain('OnCalendar=*:0/15\nRandomizedDelaySec=10min\nFixedRandomDelay=true\n');
  });

  it('runs only after a first boot, in a sandbox', async () => {
    const host = TemporaryHost.with({}, systemd);
    await install(host, routeTimer);
    const text = await readText(host, 'etc/systemd/system/landfall-route.service');
    expect(text).toContain('ExecStart=/usr/local/bin/landfall route test --scheduled\n');
    expect(text).toContain('ConditionPathExists=/var/lib/landfall/installed\n');
    expect(text).toContain('ProtectSystem=strict\n');
    expect(text).toContain('NoNewPrivileges=yes\n');
  });
});
