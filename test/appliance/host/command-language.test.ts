import { describe, expect, it } from 'vitest';
import { siteFile } from '#contract/server-paths.ts';
import { commandLanguage } from '../../../appliance/host/command-language.ts';
import { TemporaryHost } from '../temporary-host.ts';

function language(site: string | undefined, env: NodeJS.ProcessEnv) {
  const host = TemporaryHost.with(site === undefined ? {} : { [siteFile]: site });
  return commandLanguage(host.path('.'), env);
}

describe('the language of commands on a server', () => {
  it('is that of the site, whatever the terminal has', async () => {
    expect(await language('{"language":"zh"}', { LANG: 'C.UTF-8' })).toBe('zh');
    expect(await language('{"language":"en"}', { LANG: 'zh_CN.UTF-8' })).toBe('en');
  });

  it.each([undefined, '{}', '{"language":"fr"}', '{'])(
    'is that of the terminal without one in the site: %s',
    async (site) => {
      expect(await language(site, { LANG: 'zh_CN.UTF-8' })).toBe('zh');
      expect(await language(site, {})).toBe('en');
    },
  );
});
