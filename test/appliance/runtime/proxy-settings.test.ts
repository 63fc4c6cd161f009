import { existsSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import {
  clientSettings,
  clientSettingsFile,
  engineProxyFile,
  proxyDropIn,
} from '../../../appliance/runtime/proxy-settings.ts';
import { runtimeStage } from '../../../appliance/runtime/stage.ts';
import { contextFor } from '../context.ts';
import { type Answers, TemporaryHost } from '../temporary-host.ts';

/** Every package is there, and the engine tells its version. */
const installed: Answers = {
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

describe("the engine's proxy", () => {
  const url = 'http://me:se%40cret@192.0.2.2:7890';
  const route = { mode: 'http-proxy', url };

  it('is in a file of its own: systemd tells everybody what stands in a drop-in', async () => {
    const { host, mode, read } = await applied({ route });
    expect(mode(engineProxyFile)).toBe(0o600);
    expect(read(engineProxyFile)).toContain(`HTTPS_PROXY='${url}'\n`);
    expect(read(proxyDropIn)).toBe('[Service]\nEnvironmentFile=/etc/landfall/engine-proxy.env\n');
    expect(host.ran.join()).not.toContain('se%40cret');
  });

  it('is SOCKS5 too, which the engine speaks and containers do not', async () => {
    const socks = { mode: 'socks5', url: 'socks5h://192.0.2.2:7891' };
    const { host, read } = await applied({ route: socks });
    expect(read(engineProxyFile)).toContain("HTTPS_PROXY='socks5://192.0.2.2:7891'");
    expect(existsSync(host.path(clientSettingsFile))).toBe(false);
  });

  it('goes when the site has a direct route again', async () => {
    const { host } = await applied({ route });
    await applied({}, host);
    expect(existsSync(host.path(engineProxyFile))).toBe(false);
    expect(existsSync(host.path(proxyDropIn))).toBe(false);
  });

  /** A server where the stage ran, with everything installed already. */
  async function applied(site: Record<string, unknown>, host = TemporaryHost.with({}, installed)) {
    await runtimeStage.apply(contextFor(host, { site })).catch((error: unknown) => {
      // No Compose plugin lies in this release; the proxy is written before.
      if (!(error instanceof LandfallError)) throw error;
    });
    const read = (path: string) => readFileSync(host.path(path), 'utf8');
    const mode = (path: string) => statSync(host.path(path)).mode & 0o777;
    return { host, read, mode };
  }
});

describe("the settings of docker's client", () => {
  const proxies = {
    default: {
      httpProxy: 'http://10.0.0.2:7890',
      httpsProxy: 'http://10.0.0.2:7890',
      noProxy: 'localhost,127.0.0.1',
    },
  };

  it('are where proxies.default belongs', () => {
    expect(JSON.parse(clientSettings(undefined, variables) ?? '')).toEqual({ proxies });
  });

  it('keep logins', () => {
    const auths = { 'registry.example.com': { auth: 'eA==' } };
    expect(JSON.parse(clientSettings(JSON.stringify({ auths }), variables) ?? '')).toEqual({
      auths,
      proxies,
    });
  });

  it('are left alone when they are not JSON', () => {
    expect(clientSettings('not json', variables)).toBeUndefined();
  });
});
