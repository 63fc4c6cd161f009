import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { attemptPause } from './attempt-pause.ts';
import type { BanLab } from './ban-lab.ts';

/** Tests bans of clients that fail to log in. The tests depend on their order. */
export function itBansAtSsh(lab: () => BanLab): void {
  let pause = Promise.resolve();
  /** sshd does not log every failure. */
  const guessUntilCounted = async (count: number) => {
    const found = `grep -c 'Found ${lab().attacker.addresses.v4}' /var/log/fail2ban.log`;
    const isCounted = `until [ "$(${found})" -ge ${count} ]; do sleep 0.2; done`;
    for (let tries = 0; tries < 20; tries += 1) {
      await pause;
      pause = sleep(attemptPause);
      await lab().attacker.ssh({ user: 'root', host: lab().host.addresses.v4, with: 'none' });
      const counting = ['timeout', `${attemptPause / 1000}`, 'sh', '-c', isCounted];
      if ((await lab().host.run(counting)).exitCode === 0) return;
    }
    throw new Error(
      await lab().host.output('tail -20 /var/log/fail2ban.log; journalctl -b -u ssh'),
    );
  };

  it('do not apply after four failures, or to clients that only connect', async () => {
    // Like monitoring and tcping; ssh-keyscan connects once for each key type.
    for (const address of Object.values(lab().host.addresses)) {
      await lab().administrator.ports(address, [22]);
      await lab().administrator.run(['ssh-keyscan', address]);
    }
    await guessUntilCounted(4);
    expect(await lab().banned('sshd')).not.toContain(lab().attacker.addresses.v4);
    const log = await lab().host.output('cat /var/log/fail2ban.log');
    for (const address of Object.values(lab().administrator.addresses)) {
      expect(log).not.toContain(`Found ${address}`);
    }
  });

  it('block every port for an hour, over the IP version of the attack', async () => {
    await guessUntilCounted(5);
    await lab().waitForBan('sshd', lab().attacker.addresses.v4);
    expect(await lab().banned('sshd')).toMatch(/timeout 1h/);
    expect(await lab().attacker.ports(lab().host.addresses.v4, [22, 80])).toEqual({
      22: 'filtered',
      80: 'filtered',
    });
    expect(await lab().attacker.ports(lab().host.addresses.v6, [80])).toEqual({ 80: 'refused' });
  });

  it('do not affect other clients', async () => {
    const login = { user: 'root', host: lab().host.addresses.v4 };
    expect(await lab().administrator.ssh(login)).toMatchObject({ exitCode: 0 });
  });

  it('persist over a restart of fail2ban', async () => {
    await lab().host.output('systemctl restart fail2ban');
    await lab().waitForBan('sshd', lab().attacker.addresses.v4);
  });

  it('persist when the firewall is reloaded', async () => {
    await lab().stages.run('allow', '8443/tcp');
    expect(await lab().banned('sshd')).toContain(lab().attacker.addresses.v4);
    await lab().host.output('systemctl reload landfall-firewall');
    expect(await lab().banned('sshd')).toContain(lab().attacker.addresses.v4);
  });

  it('restores bans after nftables.service flushed every table', async () => {
    await lab().host.output('systemctl start nftables');
    await lab().waitForBan('sshd', lab().attacker.addresses.v4);
    await lab().host.output('systemctl disable --now nftables; systemctl start landfall-firewall');
    await lab().host.output('ufw --force enable');
    await lab().waitForBan('sshd', lab().attacker.addresses.v4);
  });

  it('restores bans after a reboot', async () => {
    await lab().host.reboot();
    await lab().waitForBan('sshd', lab().attacker.addresses.v4);
  });

  it('end when the administrator removes them', async () => {
    await lab().host.output(`fail2ban-client set sshd unbanip ${lab().attacker.addresses.v4}`);
    await lab().host.waitFor(
      `! nft list set inet landfall banned-sshd-4 | grep -qF '${lab().attacker.addresses.v4}'`,
      60,
    );
    expect(await lab().attacker.ports(lab().host.addresses.v4, [80])).toEqual({ 80: 'refused' });
  });
}
