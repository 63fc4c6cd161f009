import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  clientFilesAreRight,
  clientProxyDigest,
  clientSettings,
  dockerProxyFile,
  proxyDropIn,
  warnOfClientSettings,
  writeClientFiles,
} from '../../../../appliance/stages/runtime/client-files.ts';
import {
  changeOwnSettings,
  ownSettingsFile,
  storedSettings,
} from '../../../../appliance/stages/runtime/own-settings.ts';
import { proxyIsWrong, runtimeStage } from '../../../../appliance/stages/runtime/stage.ts';
import { CertificateAuthority } from '../../../faulty-server/certificates.ts';
import { engineAnswers, noEngine } from '../../answers.ts';
import { contextFor, type TestContext } from '../../context.ts';
import { type Answers, TemporaryHost } from '../../temporary-host.ts';

const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
const answers = { 'getent passwd ops': `ops:x:${uid}:${gid}::/home/ops:/bin/bash\n` };
const [mine, theirs] = ['root/.docker/config.json', 'home/ops/.docker/config.json'];
const url = 'http://me:se%3Acret@192.0.2.2:7890';
const route = { mode: 'http-proxy', url };

describe('the proxy of the command docker', () => {
  it('sets the proxy of docker for root and the administrator, readable for the user only', async () => {
    const { host, write, isRight, read } = server({});
    expect(await isRight({ route })).toBe(false);
    await write({ route });
    expect(await isRight({ route })).toBe(true);
    for (const path of [mine, theirs]) {
      expect(JSON.parse(read(path)).proxies.default.httpsProxy).toBe(url);
      expect(statSync(host.path(path)).mode & 0o777).toBe(0o600);
    }
    expect(statSync(host.path('home/ops/.docker'))).toMatchObject({ uid, gid });
    expect(statSync(host.path('home/ops/.docker')).mode & 0o777).toBe(0o700);
  });

  it('removes the proxy of docker with the folder that had nothing else', async () => {
    const { host, write, isRight } = server({});
    await write({ route });
    expect(await isRight({})).toBe(false);
    await write({});
    expect(await isRight({})).toBe(true);
    expect(existsSync(host.path('home/ops/.docker'))).toBe(false);
    expect(existsSync(host.path(ownSettingsFile))).toBe(false);
  });

  it.each([
    ['credentials', '{\n\t"auths": {\n\t\t"r.example": {"auth": "eA=="}\n\t}\n}'],
    [
      'proxies of contexts',
      '{ "proxies": { "tcp://h:2375": {"httpProxy":"x"} }, "a": [1,  2] }\n\n',
    ],
  ])(
    'merges the proxy of docker with %s, which are restored byte for byte',
    async (_name, text) => {
      const { write, read } = server({ [theirs]: text });
      await write({ route });
      expect(JSON.parse(read(theirs))).toMatchObject(JSON.parse(text));
      expect(JSON.parse(read(theirs)).proxies.default.httpProxy).toBe(url);
      await write({});
      expect(read(theirs)).toBe(text);
    },
  );

  it('follows the route of the site', async () => {
    const { write, read, host } = server({});
    await write({ route });
    await write({ route: { mode: 'http-proxy', url: 'http://192.0.2.3:1' } });
    expect(JSON.parse(read(theirs)).proxies.default.httpProxy).toBe('http://192.0.2.3:1');
    await write({ route: { mode: 'socks5', url: 'socks5h://192.0.2.3:1080' } });
    expect(existsSync(host.path(theirs))).toBe(false);
  });

  it('does not replace a proxy of the administrator, which causes a warning', async () => {
    const text = '{"proxies": {"default": {"httpProxy": "http://own.example"}}}';
    const { host, write, read, isRight } = server({ [theirs]: text });
    await write({ route });
    expect(read(theirs)).toBe(text);
    expect(await isRight({ route })).toBe(true);
    const context = contextFor(host, { site: { route } });
    await warnOfClientSettings(context);
    expect(context.warned).toEqual([`/${theirs} has another proxy and was not changed`]);
    await write({});
    expect(read(theirs)).toBe(text);
  });

  it('stays in the folder of an administrator who added files', async () => {
    const { host, write } = server({});
    await write({ route });
    mkdirSync(host.path('home/ops/.docker/cli-plugins'));
    writeFileSync(host.path('home/ops/.docker/cli-plugins/docker-x'), '');
    await write({});
    expect(existsSync(host.path('home/ops/.docker/cli-plugins/docker-x'))).toBe(true);
    expect(existsSync(host.path(theirs))).toBe(false);
  });
});

function server(files: Readonly<Record<string, string>>) {
  const host = TemporaryHost.with(
    { 'home/ops/.profile': '', 'root/.profile': '', ...files },
    answers,
  );
  return {
    host,
    read: (path: string) => readFileSync(host.path(path), 'utf8'),
    write: (site: Record<string, unknown>) => writeClientFiles(contextFor(host, { site })),
    isRight: (site: Record<string, unknown>) => clientFilesAreRight(contextFor(host, { site })),
  };
}

const clientSettingsFile = 'root/.docker/config.json';

/** All packages are installed, and Docker prints its version. */
const installed: Answers = {
  ...engineAnswers,
  'dockerd --version': 'Docker version 26.1.5, build 1',
  'ip -json': '[]',
  'dpkg-query':
    'docker.io installed\niptables installed\nca-certificates installed\ndocker-cli installed',
};

const variables = {
  HTTP_PROXY: 'http://10.0.0.2:7890',
  HTTPS_PROXY: 'http://10.0.0.2:7890',
  NO_PROXY: 'localhost,127.0.0.1',
};

describe('the proxy of Docker', () => {
  const url = 'http://me:se%3Acret@192.0.2.2:7890';
  const route = { mode: 'http-proxy', url };

  it('writes the proxy of Docker to its own file, because systemd shows drop-ins to all users', async () => {
    const { host, mode, read } = await applied({ route });
    expect(mode(dockerProxyFile)).toBe(0o600);
    expect(read(dockerProxyFile)).toContain(`HTTPS_PROXY='${url}'\n`);
    expect(read(proxyDropIn)).toBe('[Service]\nEnvironmentFile=/etc/landfall/engine-proxy.env\n');
    expect(host.ran.join()).not.toContain('se%3Acret');
  });

  it('may be SOCKS5, which Docker supports and containers do not', async () => {
    const socks = { mode: 'socks5', url: 'socks5h://192.0.2.2:7891' };
    const { host, read } = await applied({ route: socks });
    expect(read(dockerProxyFile)).toContain("HTTPS_PROXY='socks5://192.0.2.2:7891'");
    expect(existsSync(host.path(clientSettingsFile))).toBe(false);
  });

  it('sets the CA of the site beside the proxy, and detects its change, so that Docker restarts', async () => {
    const [one, two] = ['one', 'two'].map((name) => new CertificateAuthority(name).cert);
    const { host, read } = await applied({ ca: one });
    expect(read(dockerProxyFile)).toContain("SSL_CERT_FILE='/etc/ssl/certs/ca-certificates.crt'");
    const isWrong = (ca?: string) => proxyIsWrong(contextFor(host, { site: { ca } }));
    expect(await isWrong(one)).toBe(false);
    expect(await isWrong(two)).toBe(true);
    expect(await isWrong()).toBe(true);
  });

  it('removes the proxy of Docker when the site has a direct route again', async () => {
    const { host } = await applied({ route });
    await applied({}, host);
    expect(existsSync(host.path(dockerProxyFile))).toBe(false);
    expect(existsSync(host.path(proxyDropIn))).toBe(false);
  });

  // Regression: the proxy stayed in config.json with its password.
  it('leaves no password when it is removed', async () => {
    const { host, read } = await applied({ route });
    expect(read(clientSettingsFile)).toContain('se%3Acret');
    await applied({}, host);
    expect(existsSync(host.path(clientSettingsFile))).toBe(false);
    expect(existsSync(host.path(ownSettingsFile))).toBe(false);
    expect(await todo(host)).not.toContain('set the proxy of Docker');
  });

  it('does not affect credentials and proxies of the user when it is removed', async () => {
    const settings = { auths: { 'r.example': { auth: 'eA==' } }, proxies: { 'tcp://h:2375': {} } };
    const theirs = `${JSON.stringify(settings, null, '\t')}\n\n`;
    const host = TemporaryHost.with({ [clientSettingsFile]: theirs }, installed);
    const { read } = await applied({ route }, host);
    expect(JSON.parse(read(clientSettingsFile)).proxies.default.httpProxy).toBe(url);
    await applied({}, host);
    expect(read(clientSettingsFile)).toBe(theirs);
  });

  it('keeps the proxy in the settings of the user with a direct route', async () => {
    const theirs = '{\n\t"proxies": {"default": {"httpProxy": "http://own.example"}}}';
    const host = TemporaryHost.with({ [clientSettingsFile]: theirs }, installed);
    const { read } = await applied({}, host);
    expect(read(clientSettingsFile)).toBe(theirs);
  });

  it('removes the proxy of Docker even if the run that changed it was killed', async () => {
    const { host } = await applied({ route });
    const { clientProxies } = JSON.parse(readFileSync(host.path(ownSettingsFile), 'utf8'));
    const other = { mode: 'http-proxy', url: 'http://192.0.2.3:1' };
    const never = changeOwnSettings(host, { clientProxies: ['of another'] }, async () => {
      throw new Error('killed');
    });
    await expect(never).rejects.toThrow('killed');
    expect((await storedSettings.read(host)).clientProxies).toEqual([
      ...clientProxies,
      'of another',
    ]);
    await applied({ route: other }, host);
    await applied({}, host);
    expect(existsSync(host.path(clientSettingsFile))).toBe(false);
  });

  it('causes a warning in every run if config.json is not JSON', async () => {
    const answers = { ...installed, ...noEngine };
    const docker = { source: 'distribution' };
    const host = TemporaryHost.with({ [clientSettingsFile]: 'not json' }, answers);
    const proved = async (context: TestContext) => {
      await expect(runtimeStage.prove(context)).rejects.toMatchObject({ code: 'COMMAND_FAILED' });
    };
    for (const _ of [1, 2]) {
      const context = contextFor(host, { site: { route, docker } });
      await proved(context);
      expect(context.warned).toEqual([`/${clientSettingsFile} is not JSON and was not changed`]);
    }
    const direct = contextFor(host, { site: { docker } });
    await proved(direct);
    expect(direct.warned).toEqual([]);
  });

  const todo = async (host: TemporaryHost) => {
    const release = { files: [{ ...plugin, path: 'runtime/docker-compose' }] };
    return await runtimeStage.check(contextFor(host, { release }));
  };
  const plugin = { size: 1, sha256: '0'.repeat(64), offset: 0, executable: true };

  /** Returns a server on which the stage has run, with all packages installed. */
  async function applied(site: Record<string, unknown>, host = TemporaryHost.with({}, installed)) {
    // The stage fails because this release has no Compose, but the proxy is written before.
    const context = contextFor(host, { site });
    await expect(runtimeStage.apply(context)).rejects.toMatchObject({ code: 'BUNDLE_CONTENT' });
    const read = (path: string) => readFileSync(host.path(path), 'utf8');
    const mode = (path: string) => statSync(host.path(path)).mode & 0o777;
    return { host, read, mode };
  }
});

describe('the client settings of Docker', () => {
  const proxies = {
    default: {
      httpProxy: 'http://10.0.0.2:7890',
      httpsProxy: 'http://10.0.0.2:7890',
      noProxy: 'localhost,127.0.0.1',
    },
  };

  it('contain proxies.default', () => {
    expect(JSON.parse(clientSettings(undefined, variables) ?? '')).toEqual({ proxies });
  });

  it('keep credentials', () => {
    const auths = { 'registry.example.com': { auth: 'eA==' } };
    expect(JSON.parse(clientSettings(JSON.stringify({ auths }), variables) ?? '')).toEqual({
      auths,
      proxies,
    });
  });

  it('leaves client settings that are not JSON unchanged', () => {
    expect(clientSettings('not json', variables)).toBeUndefined();
  });

  it('leaves equivalent client settings unchanged', () => {
    const current = JSON.stringify({ proxies }, null, '\t');
    expect(clientSettings(current, variables)).toBe(current);
  });

  it('lose a proxy of Landfall, regardless of the order of its fields', () => {
    const reversed = Object.fromEntries(Object.entries(proxies.default).reverse());
    const current = JSON.stringify({ auths: {}, proxies: { default: reversed } });
    const earlier = clientProxyDigest(variables);
    expect(JSON.parse(clientSettings(current, {}, earlier) ?? '')).toEqual({ auths: {} });
  });

  it('keep a proxy that was changed since', () => {
    const changed = { default: { ...proxies.default, httpProxy: 'http://own.example' } };
    const current = JSON.stringify({ proxies: changed });
    expect(clientSettings(current, {}, clientProxyDigest(variables))).toBe(current);
  });
});
