import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  redirectedUsers,
  redirectMeasure,
  renderRedsocks,
  storeRedirectedUsers,
} from '../../../../../appliance/stages/route/redirect/redirect.ts';
import {
  redsocksFile,
  redsocksUnit,
  rulesFile,
  rulesUnit,
} from '../../../../../appliance/stages/route/redirect/render-rules.ts';
import { undoRoute } from '../../../../../appliance/stages/route/undo-route.ts';
import { contextFor } from '../../../context.ts';
import { type Answers, TemporaryHost } from '../../../temporary-host.ts';

const answers: Answers = {
  'dpkg-query': 'nftables installed\nredsocks installed\n',
  systemctl: '',
  'systemctl is-enabled --quiet redsocks.service': 1,
  nft: '',
  redsocks: '',
  'getent group sudo': 'sudo:x:27:\n',
  'getent passwd': 2,
  'getent passwd alice': 'alice:x:1000:1000::/home/alice:/bin/bash\n',
  'getent passwd bob': 'bob:x:1001:1001::/home/bob:/bin/bash\n',
  'getent passwd root': 'root:x:0:0::/root:/bin/bash\n',
  'getent passwd redsocks': 'redsocks:x:110:110::/run/redsocks:/usr/sbin/nologin\n',
  'getent passwd landfall-local-proxy': 'landfall-local-proxy:x:61999:61999::/:/sbin/nologin\n',
};
const route = { mode: 'http-proxy', url: 'http://me:secret@192.0.2.2:7890' };
const files = { 'etc/landfall/site.json': '{}', 'etc/systemd/system/own.service': '' };

function server(more: Answers = {}, site: Readonly<Record<string, unknown>> = { route }) {
  const host = TemporaryHost.with(files, { ...answers, ...more });
  return { host, context: contextFor(host, { site }) };
}

const read = (host: TemporaryHost, path: string) => readFileSync(host.path(path), 'utf8');
const listed = (host: TemporaryHost) =>
  readdirSync(host.path('etc'), { recursive: true }).map(String).sort();

describe('the redirection of users', () => {
  it('changes nothing if no user was chosen', async () => {
    const { host, context } = server();
    await redirectMeasure.apply(context);
    expect(await redirectMeasure.check(context)).toEqual([]);
    expect(host.ran).toEqual([]);
  });

  it('loads rules for the IDs of the users before redsocks starts', async () => {
    const { host, context } = server();
    await storeRedirectedUsers(host, ['bob', 'alice', 'bob']);
    expect(await redirectMeasure.check(context)).toEqual([
      'redirect connections of alice, bob to the proxy',
    ]);
    await redirectMeasure.apply(context);
    expect(read(host, rulesFile)).toContain('meta skuid != 110 meta skuid { 1000, 1001 }');
    expect(host.ran.slice(-2)).toEqual([
      `systemctl reload-or-restart ${rulesUnit}`,
      `systemctl restart ${redsocksUnit}`,
    ]);
    expect(read(host, `etc/systemd/system/${redsocksUnit}`)).toMatch(
      `After=network.target ${rulesUnit}\nBindsTo=${rulesUnit}\n`,
    );
    expect(await redirectMeasure.check(context)).toEqual([]);
  });

  it('stores the login of the proxy in one file, which only root can read', async () => {
    const { host, context } = server();
    await storeRedirectedUsers(host, ['alice']);
    await redirectMeasure.apply(context);
    expect(statSync(host.path(redsocksFile)).mode & 0o777).toBe(0o600);
    const others = listed(host).filter(
      (path) => `etc/${path}` !== redsocksFile && statSync(host.path('etc', path)).isFile(),
    );
    for (const path of others) expect(read(host, `etc/${path}`)).not.toContain('secret');
    expect(host.ran.join()).not.toContain('secret');
  });

  it.each(['nft --check', 'redsocks -t'])(
    'leaves the redirection of users unchanged if %s fails',
    async (program) => {
      const { host, context } = server({ [program]: 1 });
      await storeRedirectedUsers(host, ['alice']);
      await expect(redirectMeasure.apply(context)).rejects.toMatchObject({
        code: 'COMMAND_FAILED',
      });
      expect(existsSync(host.path(rulesFile))).toBe(false);
      expect(existsSync(host.path('run/landfall/redirect-candidate'))).toBe(false);
    },
  );

  it('turns off the service of the package, which listens without a proxy', async () => {
    const unit = 'redsocks.service';
    const { host, context } = server({ [`systemctl is-enabled --quiet ${unit}`]: '' });
    await storeRedirectedUsers(host, ['alice']);
    await redirectMeasure.apply(context);
    expect(host.ran).toContain(`systemctl disable --now --quiet ${unit}`);
  });

  it('continues for the other users after the deletion of one', async () => {
    const { host, context } = server();
    await storeRedirectedUsers(host, ['alice', 'bob']);
    const deleted = TemporaryHost.with(
      { 'etc/landfall/redirect.json': read(host, 'etc/landfall/redirect.json') },
      { ...answers, 'getent passwd bob': 2 },
    );
    await redirectMeasure.apply({ ...context, host: deleted });
    expect(read(deleted, rulesFile)).toContain('meta skuid { 1000 }');
  });

  it('undoes the redirection of users with the route: redsocks first, and leaves no file', async () => {
    const { host, context } = server();
    const before = listed(host);
    await storeRedirectedUsers(host, ['alice']);
    await redirectMeasure.apply(context);
    await undoRoute(context);
    expect(listed(host)).toEqual(before);
    expect(host.ran).toContain(`systemctl disable --now --quiet ${redsocksUnit} ${rulesUnit}`);
    expect(await redirectMeasure.check(context)).toEqual([]);
  });

  it('ends when the site has no proxy any more', async () => {
    const { host, context } = server();
    await storeRedirectedUsers(host, ['alice']);
    await redirectMeasure.apply(context);
    const direct = contextFor(host);
    expect(await redirectMeasure.check(direct)).toEqual(['stop the redirection of users']);
    await redirectMeasure.apply(direct);
    expect(await redirectMeasure.check(direct)).toEqual([]);
  });

  it.each(['root', 'redsocks', 'landfall-local-proxy', 'missing'])(
    'rejects the user %s',
    async (name) => {
      const { host } = server();
      await expect(storeRedirectedUsers(host, ['alice', name])).rejects.toMatchObject({
        code: 'USAGE',
      });
      expect(await redirectedUsers(host)).toEqual([]);
    },
  );
});

const locked = 'socks5h://me:p%22%5Css%3B@192.0.2.2';

describe('the settings of redsocks', () => {
  it('name an HTTP proxy, without a login', () => {
    const text = renderRedsocks('http://192.0.2.2');
    expect(text).toContain('\tip = 192.0.2.2;\n\tport = 80;\n\ttype = http-connect;\n}');
    expect(text).not.toContain('login');
  });

  it('name a SOCKS5 proxy with its decoded login', () => {
    const text = renderRedsocks(locked);
    expect(text).toContain('\tport = 1080;\n\ttype = socks5;\n');
    expect(text).toContain('\tlogin = "me";\n\tpassword = "p\\"\\\\ss;";\n');
  });

  it('listen on loopback only', () => {
    expect(renderRedsocks(locked)).toContain('\tlocal_ip = 127.0.0.1;\n\tlocal_port = 7892;\n');
  });

  it.each(['http://proxy.example:80', 'http://[2001:db8::1]:80', 'https://192.0.2.2:443'])(
    'rejects %s',
    (proxy) => {
      expect(() => renderRedsocks(proxy)).toThrow(
        expect.objectContaining({ code: 'CONFIG_INVALID' }),
      );
    },
  );
});
