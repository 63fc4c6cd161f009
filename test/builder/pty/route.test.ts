import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keys } from '../../pty/terminal.ts';
import { TerminalRig } from './rig.ts';

let rig: TerminalRig;
beforeAll(async () => {
  rig = await TerminalRig.make();
  await rig.write('.bashrc', '');
  await rig.write('links.txt', 'trojan://x@hk.example:443#HK');
});
afterAll(() => rig.close());

/** The tests depend on their order. */
describe('landfall route on a terminal', () => {
  it('changes nothing if the password prompt is cancelled', async () => {
    const run = rig.start('route', 'on', 'http://me@10.0.0.2:7890');
    await run.shows('Password of the proxy');
    run.type(`half${keys.interrupt}`);
    const { status, text } = await run.end();
    expect(text).toContain('cancelled: nothing was changed');
    expect(text).not.toContain('half');
    expect(status).toBe(130);
  });

  it('prompts for the password, which is not echoed', async () => {
    const run = rig.start('route', 'on', 'http://me@10.0.0.2:7890');
    await run.shows('Password of the proxy');
    run.type(`sesame${keys.enter}`);
    const { status, text } = await run.end();
    expect(text).toContain('http://me:***@10.0.0.2:7890');
    expect(text).not.toContain('sesame');
    expect(status).toBe(0);
  });

  it('imports nothing if the prompt for the URL is cancelled, and does not echo it', async () => {
    const run = rig.start('route', 'import');
    await run.shows('URL of the subscription');
    run.type(`https://half${keys.interrupt}`);
    const { status, text } = await run.end();
    expect(text).not.toContain('half');
    expect(status).toBe(130);
  });

  it.each([
    ['route show', 0, 'me:***@'],
    ['route pac', 0, 'FindProxyForURL'],
    ['route proxychains', 2, 'Write them to a file'],
    ['route proxychains --output chains.conf', 0, 'proxychains4 -f'],
    ['route on http://10.0.0.2:7890 --json', 0, '{"proxy":"http://10.0.0.2:7890","changed":['],
    ['route off --json', 0, '{"wasSet":true,"restored":['],
    ['route off', 0, 'No proxy was set.'],
    ['route on', 2, "missing required argument 'url'"],
    ['route onn', 2, 'Choose from: show, on, off, pac, proxychains, import'],
    ['route import missing.yaml', 8, 'does not exist'],
    ['route import links.txt', 0, '1 trojan'],
    ['route export --format mihomo --output config.yaml', 0, 'mihomo -f'],
    ['route export --format clash --output config.yaml', 2, 'Allowed choices are mihomo, sing-box'],
  ])('landfall %s ends', async (args, status, shown) => {
    const end = await rig.run(...args.split(' '));
    // Long sentences are wrapped.
    expect(end.text.replaceAll(/\s+/g, ' ')).toContain(shown);
    expect(end.status).toBe(status);
  });
});
