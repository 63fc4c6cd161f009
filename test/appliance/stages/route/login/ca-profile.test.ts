import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { install } from '../../../../../appliance/server/host/service.ts';
import {
  loginSettings,
  profileFileOf,
  sudoersFile,
} from '../../../../../appliance/stages/route/login/login-settings.ts';
import { proxyEnv } from '../../../../../appliance/stages/route/route-settings.ts';
import { CertificateAuthority } from '../../../../faulty-server/certificates.ts';
import { TemporaryHost } from '../../../temporary-host.ts';

const { cert: ca } = new CertificateAuthority();
const trustProfileFile = profileFileOf('ca');
const mirrors = { registries: {} };
const route = { mode: 'direct' as const };
const names = ['REQUESTS_CA_BUNDLE', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'];
const bundle = '/etc/ssl/certs/ca-certificates.crt';

async function settingsOf(site: Parameters<typeof loginSettings>[1]) {
  const files = { 'etc/zsh/zprofile': '', 'etc/fish/conf.d/own.fish': '' };
  const host = TemporaryHost.with(files, { getent: 2 });
  const settings = await loginSettings(host, site);
  const textOf = (path: string) => {
    const text = settings.find((each) => each.path === path)?.text;
    return typeof text === 'function' ? text('') : text;
  };
  return { host, settings, textOf };
}

describe('the CA of the site in login shells', () => {
  it('sets the CA of the site for programs that ignore the system store, without a proxy', async () => {
    const { host, settings, textOf } = await settingsOf({ route, mirrors, ca });
    const files = settings.filter(({ path }) => path !== sudoersFile);
    await install(host, { files });
    const script = `. ${host.path(trustProfileFile)}; env`;
    const seen = execFileSync('sh', ['-c', script], { env: {}, encoding: 'utf8' });
    for (const name of names) expect(seen).toContain(`${name}=${bundle}\n`);
    expect(textOf('etc/fish/conf.d/landfall-ca.fish')).toBe(textOf(trustProfileFile));
    expect(textOf('etc/zsh/zprofile')).toContain(`/${trustProfileFile}`);
    expect(textOf('etc/zsh/zprofile')).not.toContain('landfall-proxy');
    expect(textOf(sudoersFile)).toContain(`env_keep += "${names.join(' ')}"`);
  });

  it('sets the CA of the site beside a proxy, which proxy_off unsets alone', async () => {
    const proxy = { mode: 'http-proxy' as const, url: 'http://192.0.2.2:1', no_proxy: [] };
    const { textOf } = await settingsOf({ route: proxy, mirrors, ca });
    expect(textOf('etc/zsh/zprofile')).toMatch(/landfall-proxy\.sh.*\n.*landfall-ca\.sh/);
    expect(textOf('etc/profile.d/landfall-proxy.sh')).not.toContain('SSL_CERT_FILE');
    expect(textOf(sudoersFile)).toMatch(/https_proxy.* SSL_CERT_FILE/);
  });

  it('sets no CA in login shells by default', async () => {
    const { settings, textOf } = await settingsOf({ route, mirrors });
    const texts = settings.map(({ path }) => textOf(path) || undefined);
    expect(texts).toEqual(settings.map(() => undefined));
  });

  it('sets the CA of the site for services too', () => {
    expect(proxyEnv({ route, ca })).toBe(names.map((name) => `${name}='${bundle}'\n`).join(''));
  });
});
