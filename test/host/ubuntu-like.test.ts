import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { firstBooted } from './boot/first-booted.ts';
import type { Premises } from './boot/premises.ts';
import { hostNeeds } from './host-needs.ts';
import { itLivesOn } from './life-view.ts';
import type { FastHost } from './machine/fast-host.ts';
import { Cloud } from './network/cloud.ts';
import type { Outsider } from './network/outsider.ts';
import { restartSsh } from './ssh/sshd-commands.ts';
import { StageRunner } from './stage-runner/stage-runner.ts';

const given = hostNeeds('ubuntu-like');
const customSettings = '/etc/ssh/sshd_config.d/10-custom.conf';

given.describe('a Debian 13 with the configuration of Ubuntu', () => {
  let cloud: Cloud;
  let administrator: Outsider;
  let colleague: Outsider;
  let host: FastHost;
  let stages: StageRunner;

  beforeAll(async () => {
    cloud = await Cloud.open(given.dependencies);
    administrator = await cloud.outsider();
    colleague = await cloud.outsider();
    // Providers add the keys that were selected at rental to the image's user.
    const keys = [administrator, colleague].map(({ publicKey }) => `'${publicKey}'`);
    const userData = `#cloud-config\nlocale: C.UTF-8\nssh_authorized_keys: [${keys.join(', ')}]\n`;
    host = await cloud.boot({ distribution: 'ubuntu-like', userData });
    expect(await host.cloudInit()).toBe('done');
    stages = await StageRunner.install(host, { admin: { ssh_keys: [administrator.publicKey] } });
  });
  afterAll(() => cloud?.close());

  const output = (command: string) => host.output(command);
  const stateOf = (unit: string) => output(`systemctl is-active ${unit} || true`);
  const login = (user: string, more: object = {}) =>
    administrator.ssh({ user, host: host.addresses.v4, command: 'sudo -n id -un', ...more });
  const root = { exitCode: 0, stdout: 'root\n' };
  const apply = async (names: string) => {
    expect(await stages.run('apply', names)).not.toHaveProperty('error');
  };

  describe('on delivery by its cloud', () => {
    it('listens for SSH without a running sshd until a client connects', async () => {
      expect(await output('systemctl is-enabled ssh.socket')).toBe('enabled');
      expect(await output('systemctl is-enabled ssh.service || true')).toBe('disabled');
      expect([await stateOf('ssh.socket'), await stateOf('ssh')]).toEqual(['active', 'inactive']);
      expect(await login('ubuntu')).toMatchObject(root);
      expect(await stateOf('ssh')).toBe('active');
    });

    it('accepts passwords, despite the setting in the image', async () => {
      expect(await output('sshd -T')).toMatch(/^passwordauthentication yes$/m);
      const own = '/etc/ssh/sshd_config.d/60-cloudimg-settings.conf';
      expect(await output(`cat ${own}`)).toBe('PasswordAuthentication no');
    });

    it('configures the network with cloud-init, netplan and systemd-networkd', async () => {
      const { v4, v6 } = host.addresses;
      const written = await output('cat /etc/netplan/50-cloud-init.yaml');
      for (const address of [v4, v6]) expect(written).toContain(`"${address}/`);
      const link = await output('networkctl status eth0');
      expect(link).toMatch(/Network File: \/run\/systemd\/network\/10-netplan-eth0\.network/);
      expect(link).toMatch(/State: routable \(configured\)/);
    });

    it('resolves names with systemd-resolved', async () => {
      const file = await output('readlink -f /etc/resolv.conf');
      expect(file).toBe('/run/systemd/resolve/stub-resolv.conf');
    });

    it('boots with a seeded snapd and an inactive ufw', async () => {
      expect(await output('snap wait system seed.loaded && ufw status')).toBe('Status: inactive');
    });
  });

  describe('after the stages of users and ssh', () => {
    it('keeps the user of the image, with a warning of the key that the site lacks', async () => {
      const { warned, error } = await stages.run('apply', 'users');
      expect(error).toBeUndefined();
      expect(warned).toEqual(['ubuntu can log in as well, with 1 SSH key that is not in the site']);
      await apply('ssh');
      for (const user of ['ubuntu', 'ops']) expect(await login(user)).toMatchObject(root);
      expect(await login('root')).toMatchObject({ exitCode: 255 });
    });

    it('rejects passwords, and still starts sshd only when a client connects', async () => {
      const refused = await login('ubuntu', { with: { password: 'guess' } });
      expect(refused.stderr).toContain('Permission denied (publickey)');
      await output('systemctl stop ssh.service');
      expect([await stateOf('ssh.socket'), await stateOf('ssh')]).toEqual(['active', 'inactive']);
      expect((await stages.run('prove', 'ssh')).error).toBeUndefined();
    });

    // After five starts in ten seconds (an hour here) systemd stops starting sshd and closes the
    // socket.
    it('remains reachable after repeated failures to close SSH', async () => {
      const limit = '[Unit]\nStartLimitIntervalSec=1h\n';
      await output('mkdir -p /etc/systemd/system/ssh.service.d');
      await host.put('/etc/systemd/system/ssh.service.d/limit.conf', limit);
      await output('systemctl daemon-reload');
      const broken = 'rm /etc/ssh/sshd_config.d/00-landfall.conf';
      await output(`${broken} && echo 'MaxAuthTries 3' >/etc/ssh/sshd_config.d/00-first.conf`);
      for (let round = 1; round <= 6; round += 1) {
        expect(await stages.run('apply', 'ssh')).toMatchObject({ error: { code: 'SSH_UNPROVEN' } });
      }
      expect(await login('ops')).toMatchObject(root);
      await output('rm /etc/ssh/sshd_config.d/00-first.conf');
      await apply('ssh');
      expect(await stateOf('ssh.socket')).toBe('active');
      await output('rm -r /etc/systemd/system/ssh.service.d && systemctl daemon-reload');
    });
  });

  describe('after the stages of firewall and ban', () => {
    /** A service whose program was replaced after its start. */
    const outdated = () => output('systemctl show --property=MainPID --value outdated');
    let before: string;

    beforeAll(async () => {
      const program = '/usr/local/bin/outdated';
      // With `simple`, the program might be replaced before it is executed.
      const unit = `[Service]\nType=exec\nExecStart=${program} infinity\n`;
      await host.put('/etc/systemd/system/outdated.service', unit);
      await output(`cp /usr/bin/sleep ${program} && systemctl start outdated`);
      await output(`cp /usr/bin/sleep ${program}.new && mv ${program}.new ${program}`);
      before = await outdated();
      await apply('firewall,ban');
    });

    it('installs packages without a restart of services by needrestart', async () => {
      expect(await outdated()).toBe(before);
      const env = { DEBIAN_FRONTEND: 'noninteractive' };
      // dpkg does not wait for the program that writes this file after an installation.
      await output('mkdir -p /run/needrestart && touch /run/needrestart/unpacked');
      const apt = 'apt-get install --quiet --yes --reinstall netbase';
      expect(await host.output(apt, { env })).toContain('systemctl restart outdated.service');
      await expect.poll(outdated, { timeout: 60_000 }).not.toBe(before);
    });

    it('moves sshd to another port and back, as documented in the manual', async () => {
      const stranger = await cloud.outsider();
      const look = () => stranger.ports(host.addresses.v4, [22, 2222]);
      await output(`echo Port 2222 >${customSettings}`);
      await apply('firewall,ban');
      await output(restartSsh);
      expect(await look()).toEqual({ 22: 'refused', 2222: 'open' });
      await apply('firewall,ban');
      expect(await look()).toEqual({ 22: 'filtered', 2222: 'open' });
      await output(`rm ${customSettings}`);
      await apply('firewall,ban');
      await output(restartSsh);
      await apply('firewall,ban');
      expect(await look()).toEqual({ 22: 'open', 2222: 'filtered' });
    });
  });

  describe('after a reboot', () => {
    beforeAll(async () => {
      await host.reboot();
      await host.waitFor("systemctl is-system-running | grep -qE 'running|degraded'");
    });

    it('keeps the same addresses, and SSH over both, after a reboot', async () => {
      for (const address of [host.addresses.v4, host.addresses.v6]) {
        expect(await login('ops', { host: address })).toMatchObject(root);
      }
    });

    it('started without ordering cycles and failed services', async () => {
      expect(await output('journalctl -b -o cat | grep "ordering cycle" || true')).toBe('');
      expect(await output('systemctl --failed --plain --no-legend')).toBe('');
    });

    it('reports no pending changes after a reboot', async () => {
      for (const name of ['users', 'ssh', 'firewall', 'ban']) {
        expect((await stages.run('check', name)).lines).toEqual([]);
      }
    });
  });
});

const served = hostNeeds('ubuntu-like', 'serverBundle');

served.describe('a finished server with the configuration of Ubuntu', () => {
  let premises: Premises;
  beforeAll(async () => {
    premises = await firstBooted(served, 'ubuntu-like');
  });
  afterAll(() => premises?.close());

  itLivesOn(() => premises, served.dependencies);
});
