import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { remove } from '../../../../../appliance/server/host/service.ts';
import {
  renderGuard,
  socksMeasure,
  socksService,
} from '../../../../../appliance/stages/route/socks/socks.ts';
import { contextFor } from '../../../context.ts';
import { type Answers, TemporaryHost } from '../../../temporary-host.ts';

const unit = 'landfall-socks.service';
const unitFile = `etc/systemd/system/${unit}`;
const secret = 'etc/landfall/secrets/SOCKS_PASSWORD';
const login = 'etc/landfall/socks.env';
const answers: Answers = {
  'dpkg-query': 'nftables installed\nmicrosocks installed\n',
  systemctl: '',
};
const lan = { listen: '10.8.0.1', allow: ['10.8.0.0/24'] };

function server(socks: object | undefined = lan, more: Answers = {}) {
  const files = { 'etc/landfall/site.json': '{}', 'etc/systemd/system/own.service': '' };
  const host = TemporaryHost.with(files, { ...answers, ...more });
  return { host, context: contextFor(host, { site: socks ? { socks } : {} }) };
}
const read = (host: TemporaryHost, path: string) => readFileSync(host.path(path), 'utf8');

describe('the SOCKS5 server', () => {
  it('does not exist without settings', async () => {
    const { host, context } = server({});
    const without = { ...context, site: { ...context.site, socks: undefined } };
    await socksMeasure.apply(without);
    expect(await socksMeasure.check(without)).toEqual([]);
    expect(host.ran).toEqual([]);
  });

  it('installs and starts the SOCKS5 server once', async () => {
    const { host, context } = server(lan, { 'dpkg-query': 'nftables installed\n' });
    expect(await socksMeasure.check(context)).toEqual([
      'install microsocks',
      'start a SOCKS5 server at 10.8.0.1:7891',
    ]);
    const ready = { ...context, host: server().host };
    await socksMeasure.apply(ready);
    expect(ready.host.ran.slice(-3)).toEqual([
      'systemctl daemon-reload',
      `systemctl enable --quiet ${unit}`,
      `systemctl restart ${unit}`,
    ]);
    expect(await socksMeasure.check(ready)).toEqual([]);
    ready.host.ran.length = 0;
    await socksMeasure.apply(ready);
    expect(ready.host.ran.join()).not.toContain('restart');
    expect(host.ran.join()).not.toContain('microsocks -');
  });

  it('writes a generated SOCKS5 password only to files for root, and to no argument', async () => {
    const { host, context } = server();
    await socksMeasure.apply(context);
    const password = read(host, secret).trim();
    expect(password).toMatch(/^[A-Za-z0-9]{24}$/);
    expect(read(host, login)).toBe(`SOCKS_USERNAME='landfall'\nSOCKS_PASSWORD='${password}'\n`);
    for (const path of [secret, login]) expect(statSync(host.path(path)).mode & 0o777).toBe(0o600);
    expect(read(host, unitFile)).not.toContain(password);
    expect(read(host, unitFile)).toContain(
      '/usr/bin/microsocks -i 10.8.0.1 -p 7891 -u ${SOCKS_USERNAME} -P ${SOCKS_PASSWORD}\n',
    );
    expect(host.ran.join()).not.toContain(password);
  });

  it('starts the SOCKS5 server without a login on loopback', async () => {
    const { host, context } = server({});
    await socksMeasure.apply(context);
    expect(read(host, unitFile)).toContain('ExecStart=/usr/bin/microsocks -i 127.0.0.1 -p 7891\n');
    expect(existsSync(host.path(login))).toBe(false);
    expect(existsSync(host.path(secret))).toBe(false);
  });

  it('loads its rules before it starts, and again after nftables flushes all tables', async () => {
    const { host, context } = server();
    await socksMeasure.apply(context);
    const load =
      'nft --define user=$$(stat -L -c %%u /run/landfall-socks) --file /etc/landfall/socks.nft';
    expect(read(host, unitFile)).toContain(`ExecStartPre=+/bin/sh -c 'exec ${load}'\n`);
    const dropIn = read(host, 'etc/systemd/system/nftables.service.d/landfall-socks.conf');
    for (const name of ['ExecStartPost', 'ExecReload', 'ExecStopPost']) {
      expect(dropIn).toContain(
        `${name}=-/bin/sh -c 'test ! -e /run/landfall-socks || exec ${load}'`,
      );
    }
  });

  it('loses its login file when it moves to loopback', async () => {
    const { host, context } = server();
    await socksMeasure.apply(context);
    await socksMeasure.apply(contextFor(host, { site: { socks: {} } }));
    expect(existsSync(host.path(login))).toBe(false);
  });

  it('may wait for its address, but not be stopped', async () => {
    const inactive = { [`systemctl is-active --quiet ${unit}`]: 3 };
    const show = `systemctl show --property=ActiveState ${unit}`;
    const { context } = server(lan, { ...inactive, [show]: 'ActiveState=activating\n' });
    await socksMeasure.apply(context);
    expect(await socksMeasure.check(context)).toEqual([]);
    const { context: failed } = server(lan, { ...inactive, [show]: 'ActiveState=failed\n' });
    await socksMeasure.apply(failed);
    expect(await socksMeasure.check(failed)).toEqual(['start a SOCKS5 server at 10.8.0.1:7891']);
  });

  it('removes the SOCKS5 server with its rules, and keeps the password', async () => {
    const { host, context } = server();
    const files = () => readdirSync(host.path('etc'), { recursive: true }).map(String).sort();
    const before = files();
    await socksMeasure.apply(context);
    await remove(host, await socksService(context));
    expect(host.ran).toContain(`systemctl disable --now --quiet ${unit}`);
    expect(files().filter((path) => !path.startsWith('landfall/secrets'))).toEqual(before);
    expect(existsSync(host.path(secret))).toBe(true);
    host.ran.length = 0;
    await remove(host, await socksService(context));
    expect(host.ran).toEqual([]);
  });
});

const rules = renderGuard()
  .split('\n')
  .map((line) => line.trim());

describe('the rules of the SOCKS5 server', () => {
  it('apply to the user of the service only, and not to replies', () => {
    const [rule, end] = rules.slice(rules.findIndex((line) => line.startsWith('type ')) + 1);
    // Regression: a rule for other users did not match IPv6 neighbour discovery, which has no user.
    expect(rule).toBe('meta skuid $user ct direction original goto refused');
    expect(end).toBe('}');
    expect(rules.filter((line) => line.includes('skuid'))).toEqual([rule]);
  });

  it.each(['127.0.0.0/8', '169.254.0.0/16', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'])(
    'refuse %s',
    (range) => {
      const found = rules.filter((line) => line.startsWith('ip daddr') && line.includes(range));
      expect(found).toHaveLength(1);
      expect(found[0]).toMatch(/ reject with icmpx type admin-prohibited$/);
    },
  );

  it('refuse every address of the server, also public ones', () => {
    expect(rules).toContain('fib daddr type != unicast reject with icmpx type admin-prohibited');
  });

  it('replace the table in one transaction', () => {
    const lines = rules.filter((line) => line.includes('table inet landfall-socks'));
    expect(lines).toEqual([
      'table inet landfall-socks',
      'delete table inet landfall-socks',
      'table inet landfall-socks {',
    ]);
  });
});
