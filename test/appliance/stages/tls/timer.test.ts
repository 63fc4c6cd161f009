import { describe, expect, it } from 'vitest';
import { readText } from '../../../../appliance/server/host/files.ts';
import { install } from '../../../../appliance/server/host/service.ts';
import { certificateTimer, hasTimer } from '../../../../appliance/stages/tls/timer.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const timer = 'etc/systemd/system/landfall-tls.timer';

const systemd = {
  'systemctl daemon-reload': '',
  'systemctl enable --quiet landfall-tls.timer': '',
  'systemctl restart landfall-tls.timer': '',
  'systemctl is-': 0,
};

describe('the certificate timer', () => {
  it('runs every two minutes while a certificate is missing', async () => {
    const host = TemporaryHost.with({}, systemd);
    await install(host, certificateTimer('waiting'));
    const text = await readText(host, timer);
    expect(text).toContain('OnUnitInactiveSec=2min');
    expect(text).not.toContain('OnCalendar');
  });

  it('otherwise runs twice a day, with a random delay, and after downtime', async () => {
    const host = TemporaryHost.with({}, systemd);
    await install(host, certificateTimer('renewing'));
    const text = await readText(host, timer);
    expect(text).toContain('OnCalendar=*-*-* 03,15:00:00 UTC');
    expect(text).toContain('RandomizedDelaySec=');
    expect(text).toContain('Persistent=true');
  });

  it('restarts the certificate timer only when its rhythm changes', async () => {
    const host = TemporaryHost.with({}, systemd);
    await install(host, certificateTimer('waiting'));
    host.ran.length = 0;
    await install(host, certificateTimer('waiting'));
    expect(host.ran.join()).not.toContain('restart');
    await install(host, certificateTimer('renewing'));
    expect(host.ran).toContain('systemctl restart landfall-tls.timer');
  });

  it('detects the certificate timer with either rhythm', async () => {
    const host = TemporaryHost.with({}, systemd);
    expect(await hasTimer(host)).toBe(false);
    for (const rhythm of ['waiting', 'renewing'] as const) {
      await install(host, certificateTimer(rhythm));
      expect(await hasTimer(host)).toBe(true);
    }
  });

  it('respects the retry delays after failures', async () => {
    const host = TemporaryHost.with({}, systemd);
    await install(host, certificateTimer('waiting'));
    expect(await readText(host, 'etc/systemd/system/landfall-tls.service')).toContain(
      'ExecStart=/usr/local/bin/landfall tls renew --scheduled\n',
    );
  });
});
