import { describe, expect, it } from 'vitest';
import { banCheck } from '../../../../appliance/doctor/checks/ban.ts';
import { TemporaryHost } from '../../temporary-host.ts';
import { look } from '../look.ts';

describe('the check of bans', () => {
  const active = 'systemctl is-active --quiet fail2ban.service';

  it('finds nothing while fail2ban answers', async () => {
    const host = TemporaryHost.with({}, { [active]: '', 'fail2ban-client ping': 'pong' });
    expect(await look(banCheck, host)).toEqual([]);
  });

  it('finds a fail2ban that is stopped, and starts it', async () => {
    const host = TemporaryHost.with(
      {},
      {
        [active]: 3,
        'systemctl reset-failed fail2ban.service': '',
        'systemctl restart fail2ban.service': '',
      },
    );
    const text = 'fail2ban is not running, so guessing clients are not banned';
    expect(await look(banCheck, host)).toEqual([['BAN_DOWN', 'fail2ban', text]]);
    const [finding] = banCheck.needs === 'server' ? await banCheck.run(host) : [];
    await finding?.fix?.apply({ host, runStage: async () => {} });
    expect(host.ran).toContain('systemctl restart fail2ban.service');
  });

  it('finds a fail2ban that hangs', async () => {
    const host = TemporaryHost.with({}, { [active]: '', 'fail2ban-client ping': 255 });
    const text = 'fail2ban does not answer, so guessing clients are not banned';
    expect(await look(banCheck, host)).toEqual([['BAN_DOWN', 'fail2ban', text]]);
  });
});
