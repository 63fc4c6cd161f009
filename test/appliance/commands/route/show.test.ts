import { afterEach, describe, expect, it } from 'vitest';
import { setLanguage } from '#contract/text/language.ts';
import { describeRoute, shownRoute } from '../../../../appliance/commands/route/show.ts';
import { enterState } from '../../../../appliance/stages/route/client/state.ts';
import { server } from '../../stages/route/client/rig.ts';

describe('`landfall route show` with a proxy client', () => {
  const answers = { 'apt-get update --print-uris': '', dpkg: '' };

  it('names the proxy in use', async () => {
    const { host, context } = server(['a'], {}, answers);
    await enterState(host, 'active', 'a');
    const shown = await shownRoute(context);
    expect(shown).toMatchObject({ mode: 'client', client: { state: 'active', node: 'a' } });
    expect(describeRoute(shown)).toMatch(/^client +active: a$/m);
  });

  it('shows that connections of other programs are not captured yet', async () => {
    const { host, context } = server(['a'], { capture: 'host' }, answers);
    await enterState(host, 'active', 'a');
    const shown = describeRoute(await shownRoute(context));
    expect(shown).toMatch(/^capture +off$/m);
    expect(shown).toContain('- capture all connections, with `sudo landfall route on`');
  });

  afterEach(() => setLanguage('en'));

  it('shows all but names and changes in Chinese', async () => {
    setLanguage('zh');
    const { host, context } = server(['a'], { capture: 'host' }, answers);
    await enterState(host, 'active', 'a');
    const lines = describeRoute(await shownRoute(context)).split('\n');
    expect(lines.filter((line) => !/^ +- /.test(line)).join('\n')).toMatch(
      /^线路 +client\n代理 +http:\S+\nno_proxy +\S+\n代理客户端 +使用中：a\n状态 +\S+生效\n接管连接 +未开启$/,
    );
  });

  it('shows why no proxy works, and without proxies that it waits', async () => {
    const { host, context } = server(['a'], {}, answers);
    await enterState(host, 'failed', 'a', 'a: no response within 45 s');
    expect(describeRoute(await shownRoute(context))).toMatch(
      /^client +failed: a\n +a: no response within 45 s$/m,
    );
    await enterState(host, 'waiting', null);
    expect(describeRoute(await shownRoute(context))).toMatch(/^client +waiting$/m);
  });
});
