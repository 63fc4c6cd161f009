import { afterAll, beforeAll, expect, it } from 'vitest';
import { distributions } from '../distributions.ts';
import { hostNeeds } from '../host-needs.ts';
import type { FastHost } from '../machine/fast-host.ts';
import { Cloud } from '../network/cloud.ts';
import type { Outsider } from '../network/outsider.ts';
import { StageRunner } from '../stage-runner/stage-runner.ts';

for (const distribution of distributions(['debian13'])) {
  const given = hostNeeds(distribution);

  given.describe(`a change on ${distribution} that waits for a confirmation`, () => {
    let cloud: Cloud;
    let administrator: Outsider;
    let host: FastHost;
    let stages: StageRunner;

    beforeAll(async () => {
      cloud = await Cloud.open(given.dependencies);
      administrator = await cloud.outsider();
      host = await cloud.bootEmpty(distribution);
      stages = await StageRunner.install(host, { admin: { ssh_keys: [administrator.publicKey] } });
      for (const stage of ['users', 'ssh']) {
        expect((await stages.run('apply', stage)).error).toBeUndefined();
      }
    });
    afterAll(() => cloud.close());

    const login = (command: string) =>
      administrator.ssh({ user: 'ops', host: host.addresses.v4, command });
    const isThere = async () => (await host.run('test -e /var/tmp/mark')).exitCode === 0;
    const run = (action: string) => `sudo ${StageRunner.command} ${action}`;

    it('undoes a change that is not confirmed', async () => {
      await stages.run('change', 10);
      expect(await isThere()).toBe(true);
      await host.waitFor('test ! -e /var/tmp/mark && test ! -e /var/lib/landfall/undo/mark.sh', 90);
    });

    it('accepts a confirmation by a new login, and rejects the login that made the change', async () => {
      const same = await login(`${run('change 600')}; ${run('confirm')}`);
      expect(same.stdout).toContain('this login started before the change');
      const fresh = await login(run('confirm'));
      expect(JSON.parse(fresh.stdout)).toMatchObject({ lines: ['mark'] });
      expect(await host.output('systemctl list-units --all --no-legend "landfall-undo-*"')).toBe(
        '',
      );
      expect(await isThere()).toBe(true);
    });

    it('rejects a confirmation by a second shell through the same connection', async () => {
      const shared = '-o ControlPath=/root/shared';
      const ssh = `ssh -i /root/key -o StrictHostKeyChecking=no ${shared} ops@${host.addresses.v4}`;
      await administrator.run(`${ssh} -o ControlMaster=yes -fN`);
      await stages.run('change', 600);
      const { stdout } = await administrator.run(`${ssh} ${run('confirm')}`);
      await administrator.run(`${ssh} -O exit`);
      expect(stdout).toContain('this login started before the change');
    });

    it('rejects a confirmation from the server itself', async () => {
      expect(await stages.run('confirm')).toMatchObject({
        error: {
          code: 'UNCONFIRMED',
          message: expect.stringContaining('this is not an SSH login'),
        },
      });
    });

    it('undoes an unconfirmed change at a reboot, before it can lock the user out', async () => {
      await stages.run('change', 600);
      await host.reboot();
      await host.waitFor('systemctl is-system-running --wait || true; test ! -e /var/tmp/mark');
      expect(await host.journal('landfall-undo.service')).toContain(
        'the change of mark was not confirmed',
      );
      await host.waitFor('systemctl is-active ssh.service ssh.socket');
      expect(await login('true')).toMatchObject({ exitCode: 0 });
      expect((await stages.run('prove', 'ssh')).error).toBeUndefined();
    });
  });
}
