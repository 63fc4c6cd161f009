import { afterAll, beforeAll, expect, it } from 'vitest';
import { Cloud } from './cloud.ts';
import { distributions } from './distributions.ts';
import type { FastHost } from './fast-host.ts';
import { hostNeeds } from './host-needs.ts';
import type { Outsider } from './outsider.ts';
import { StageRunner } from './stage-runner/stage-runner.ts';

for (const distribution of distributions()) {
  const given = hostNeeds(distribution);

  given.describe(`bans on ${distribution}`, () => {
    let cloud: Cloud;
    let owner: Outsider;
    let guesser: Outsider;
    let host: FastHost;
    let stages: StageRunner;

    beforeAll(async () => {
      cloud = await Cloud.open(given.parts);
      [owner, guesser] = [await cloud.outsider(), await cloud.outsider()];
      host = await cloud.boot({ distribution, userData: '#cloud-config\n{}\n' });
      await host.cloudInit();
      await host.output('mkdir -p -m 700 /root/.ssh');
      await host.put('/root/.ssh/authorized_keys', `${owner.publicKey}\n`, '0600');
      stages = await StageRunner.install(host, {});
      expect(await stages.run('apply', 'firewall,ban')).not.toHaveProperty('error');
    });
    afterAll(() => cloud.close());

    const banned = (jail: string, family = 4) =>
      host.output(`nft list set inet landfall banned-${jail}-${family}`);
    const waitForBan = (jail: string, address: string, family = 4) =>
      host.waitFor(
        `nft list set inet landfall banned-${jail}-${family} | grep -F '${address} timeout'`,
        180,
      );
    /** sshd does not write every failure down, and UFW's limit is five connections in 30 seconds. */
    const guessUntilCounted = async (count: number) => {
      const found = `grep -c 'Found ${guesser.addresses.v4}' /var/log/fail2ban.log`;
      for (let tries = 0; tries < 20; tries += 1) {
        const counted = await host.waitFor(`sleep 6.5; ${found} || true`);
        if (Number(counted) >= count) return;
        await guesser.ssh({ user: 'root', host: host.addresses.v4, with: 'none' });
      }
      throw new Error(await host.output('tail -20 /var/log/fail2ban.log; journalctl -b -u ssh'));
    };

    it('leaves who makes four mistakes alone, and counts none of who only connects', async () => {
      // As monitoring and tcping do; ssh-keyscan connects once for each kind of key.
      for (const address of Object.values(host.addresses)) {
        await owner.ports(address, [22]);
        await owner.run(['ssh-keyscan', address]);
      }
      await guessUntilCounted(4);
      expect(await banned('sshd')).not.toContain(guesser.addresses.v4);
      const log = await host.output('cat /var/log/fail2ban.log');
      for (const address of Object.values(owner.addresses)) {
        expect(log).not.toContain(`Found ${address}`);
      }
    });

    it('keeps who guesses on out of everything, for an hour, over that version of IP', async () => {
      await guessUntilCounted(5);
      await waitForBan('sshd', guesser.addresses.v4);
      expect(await banned('sshd')).toMatch(/timeout 1h/);
      expect(await guesser.ports(host.addresses.v4, [22, 80])).toEqual({
        22: 'filtered',
        80: 'filtered',
      });
      expect(await guesser.ports(host.addresses.v6, [80])).toEqual({ 80: 'refused' });
    });

    it('does not touch anybody else', async () => {
      const login = { user: 'root', host: host.addresses.v4 };
      expect(await owner.ssh(login)).toMatchObject({ exitCode: 0 });
    });

    it('keeps bans over a restart of fail2ban', async () => {
      await host.output('systemctl restart fail2ban');
      await waitForBan('sshd', guesser.addresses.v4);
    });

    it('keeps bans when the firewall is loaded again', async () => {
      await stages.run('allow', '8443/tcp');
      expect(await banned('sshd')).toContain(guesser.addresses.v4);
      await host.output('systemctl reload landfall-firewall');
      expect(await banned('sshd')).toContain(guesser.addresses.v4);
    });

    it('brings bans back when nftables.service flushed every table', async () => {
      await host.output('systemctl start nftables');
      await waitForBan('sshd', guesser.addresses.v4);
      await host.output('systemctl disable --now nftables; systemctl start landfall-firewall');
      await host.output('ufw --force enable');
      await waitForBan('sshd', guesser.addresses.v4);
    });

    it('brings bans back after a reboot', async () => {
      await host.reboot();
      await waitForBan('sshd', guesser.addresses.v4);
    });

    it('ends when the owner says so', async () => {
      await host.output(`fail2ban-client set sshd unbanip ${guesser.addresses.v4}`);
      await host.waitFor(
        `! nft list set inet landfall banned-sshd-4 | grep -qF '${guesser.addresses.v4}'`,
        60,
      );
      expect(await guesser.ports(host.addresses.v4, [80])).toEqual({ 80: 'refused' });
    });
  });
}
