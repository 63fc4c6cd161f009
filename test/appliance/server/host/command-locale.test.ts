import { describe, expect, it } from 'vitest';
import { siteFile } from '#contract/server-paths.ts';
import { commandLocale } from '../../../../appliance/server/host/command-locale.ts';
import { TemporaryHost } from '../../temporary-host.ts';

function locale(site: string | undefined, env: NodeJS.ProcessEnv = {}) {
  const host = TemporaryHost.with(site === undefined ? {} : { [siteFile]: site });
  return commandLocale(host.path('.'), env);
}

async function language(site: string | undefined, env: NodeJS.ProcessEnv) {
  return (await locale(site, env)).language;
}

describe('commandLocale', () => {
  it('takes the language of the site, whatever the terminal has', async () => {
    expect(await language('{"language":"zh"}', { LANG: 'C.UTF-8' })).toBe('zh');
    expect(await language('{"language":"en"}', { LANG: 'zh_CN.UTF-8' })).toBe('en');
  });

  it.each([undefined, '{}', '{"language":"fr"}', '{'])(
    'takes the language of the terminal without one in the site: %s',
    async (site) => {
      expect(await language(site, { LANG: 'zh_CN.UTF-8' })).toBe('zh');
      expect(await language(site, {})).toBe('en');
    },
  );

  it('takes the time zone of the site', async () => {
    const { timezone } = await locale('{"timezone":"Asia/Shanghai"}');
    expect(timezone).toBe('Asia/Shanghai');
  });

  it.each([undefined, '{}', '{"timezone":"Mars/Olympus"}', '{"timezone":8}', 'null', '{'])(
    'takes the time zone of the system without one in the site: %s',
    async (site) => {
      expect((await locale(site)).timezone).toBeUndefined();
    },
  );
});
