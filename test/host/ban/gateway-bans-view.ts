import { expect, it } from 'vitest';
import { StageRunner } from '../stage-runner/stage-runner.ts';
import type { BanLab } from './ban-lab.ts';

const log = '/var/lib/landfall/gateway-log/access.log';

/** Tests bans of clients that try passwords and paths at the gateway. */
export function itBansAtTheGateway(lab: () => BanLab): void {
  /** Requests in the format of the gateway's access log. */
  const request = (from: string, count: number, line: string, status: number) =>
    lab().host.output(
      `now=$(date '+%d/%b/%Y:%H:%M:%S %z'); for i in $(seq ${count}); do
        echo "${from} - - [$now] \\"${line} HTTP/1.1\\" ${status} 153 \\"-\\" \\"x\\""; done >>${log}`,
    );

  it('apply to clients that try sign-ins or scan paths at the gateway', async () => {
    await request('198.51.100.7', 12, 'POST /api/v1/auths/signin', 400);
    await request('198.51.100.8', 45, 'GET /wp-login.php', 404);
    await request('2001:db8::8/64', 45, 'GET /.env', 403);
    await lab().waitForBan('gateway-login', '198.51.100.7');
    await lab().waitForBan('gateway-scan', '198.51.100.8');
    await lab().waitForBan('gateway-scan', '2001:db8::', 6);
  });

  it('do not apply to a normal client', async () => {
    await request('198.51.100.9', 200, 'GET /', 200);
    await request('198.51.100.9', 20, 'GET /missing', 404);
    await request('198.51.100.10', 45, 'GET /.env', 404);
    await lab().waitForBan('gateway-scan', '198.51.100.10');
    expect(await lab().banned('gateway-scan')).not.toContain('198.51.100.9 ');
  });

  it('never count addresses with an active login', async () => {
    const ask = '/etc/fail2ban/filter.d/ignorecommands/landfall-owner';
    const command = `${ask} ${lab().administrator.addresses.v4} && ! ${ask} ${lab().attacker.addresses.v4} && echo known`;
    const login = { user: 'root', host: lab().host.addresses.v4, command };
    expect(await lab().administrator.ssh(login)).toMatchObject({ exitCode: 0, stdout: 'known\n' });
    // sshd ends the session only after its client has disconnected.
    await lab().host.waitFor(`! ${ask} ${lab().administrator.addresses.v4}`, 60);
  });

  it('ignore addresses that were logged in when the stage ran', async () => {
    const command = `${StageRunner.command} apply ban`;
    const login = { user: 'root', host: lab().host.addresses.v4, command };
    expect(await lab().administrator.ssh(login)).toMatchObject({ exitCode: 0 });
    expect(await lab().host.output('fail2ban-client get sshd ignoreip')).toContain(
      lab().administrator.addresses.v4,
    );
    expect(await lab().host.output('cat /etc/landfall/ban.json')).toContain(
      lab().administrator.addresses.v4,
    );
  });

  it('keep the log of the gateway small', async () => {
    await lab().host.output('logrotate --force /etc/logrotate.d/landfall-gateway');
    expect(await lab().host.output(`stat -c %s ${log}; ls ${log}.1`)).toBe(`0\n${log}.1`);
  });
}
