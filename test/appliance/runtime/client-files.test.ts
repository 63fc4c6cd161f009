import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  clientFilesAreRight,
  warnOfClientSettings,
  writeClientFiles,
} from '../../../appliance/runtime/client-files.ts';
import { ownSettingsFile } from '../../../appliance/runtime/own-settings.ts';
import { contextFor } from '../context.ts';
import { TemporaryHost } from '../temporary-host.ts';

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
