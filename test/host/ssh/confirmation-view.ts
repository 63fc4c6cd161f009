import { expect, it } from 'vitest';
import type { FastHost } from '../machine/fast-host.ts';
import type { Outsider } from '../network/outsider.ts';
import { StageRunner } from '../stage-runner/stage-runner.ts';

/** A server after the stages of users and ssh. */
interface RestrictedServer {
  readonly administrator: Outsider;
  readonly host: FastHost;
  readonly stages: StageRunner;
}

/** Tests changes that wait for a confirmation. */
export function itUndoesUnconfirmedChanges(server: () => RestrictedServer): void {
  const login = (command: string) =>
    server().administrator.ssh({ user: 'ops', host: server().host.addresses.v4, command });
  const isThere = async () => (await server().host.run('test -e /var/tmp/mark')).exitCode === 0;
  const run = (action: string) => `sudo ${StageRunner.command} ${action}`;

  it('undoes a change that is not confirmed', async () => {
    await server().stages.run('change', 10);
    expect(await isThere()).toBe(true);
    await server().host.waitFor(
      'test ! -e /var/tmp/mark && test ! -e /var/lib/landfall/undo/mark.sh',
      90,
    );
  });

  it('accepts a confirmation by a new login, and rejects the login that made the change', async () => {
    const same = await login(`${run('change 600')}; ${run('confirm')}`);
    expect(same.stdout).toContain('this login started before the change');
    const fresh = await login(run('confirm'));
    expect(JSON.parse(fresh.stdout)).toMatchObject({ lines: ['mark'] });
    expect(
      await server().host.output('systemctl list-units --all --no-legend "landfall-undo-*"'),
    ).toBe('');
    expect(await isThere()).toBe(true);
  });

  it('rejects a confirmation by a second shell through the same connection', async () => {
    const shared = '-o ControlPath=/root/shared';
    const ssh = `ssh -i /root/key -o StrictHostKeyChecking=no ${shared} ops@${server().host.addresses.v4}`;
    await server().administrator.run(`${ssh} -o ControlMaster=yes -fN`);
    await server().stages.run('change', 600);
    const { stdout } = await server().administrator.run(`${ssh} ${run('confirm')}`);
    await server().administrator.run(`${ssh} -O exit`);
    expect(stdout).toContain('this login started before the change');
  });

  it('rejects a confirmation from the server itself', async () => {
    expect(await server().stages.run('confirm')).toMatchObject({
      error: {
        code: 'UNCONFIRMED',
        message: expect.stringContaining('this is not an SSH login'),
      },
    });
  });

  it('undoes an unconfirmed change at a reboot, before it can lock the user out', async () => {
    await server().stages.run('change', 600);
    await server().host.reboot();
    await server().host.waitFor(
      'systemctl is-system-running --wait || true; test ! -e /var/tmp/mark',
    );
    expect(await server().host.journal('landfall-undo.service')).toContain(
      'the change of mark was not confirmed',
    );
    await server().host.waitFor('systemctl is-active ssh.service ssh.socket');
    expect(await login('true')).toMatchObject({ exitCode: 0 });
    expect((await server().stages.run('prove', 'ssh')).error).toBeUndefined();
  });
}
