import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keys } from '../../pty/terminal.ts';
import { TerminalRig } from './rig.ts';

const proxy = ['--proxy', 'http://me@10.0.0.2:7890'];
const original = '{\n  // mine\n  "a": 1\n}\n';
let rig: TerminalRig;
let settings: string;
beforeAll(async () => {
  rig = await TerminalRig.make();
  settings = join(rig.folder, '.config/Cursor/User/settings.json');
  await mkdir(join(rig.folder, '.config/Code'), { recursive: true });
  await mkdir(join(rig.folder, '.config/Cursor/User'), { recursive: true });
  await writeFile(settings, original);
  await rig.write('broken.json', '{\n  "a": 1\n  "b": 2\n}\n');
});
afterAll(() => rig.close());

const text = () => readFile(settings, 'utf8');

/** The tests depend on their order. */
describe('landfall editor on a terminal', () => {
  it('changes nothing if the password is cancelled', async () => {
    const login = rig.start('editor', 'configure', ...proxy, '--editor', 'cursor');
    await login.shows('Password of the proxy');
    login.type(`half${keys.interrupt}`);
    const { status, text: shown } = await login.end();
    expect(shown).toContain('cancelled: nothing was changed');
    expect(status).toBe(130);
    expect(await text()).toBe(original);
  });

  it('asks for the password of the proxy, and hides it', async () => {
    const run = rig.start('editor', 'configure', ...proxy, '--editor', 'cursor');
    await run.shows('Password of the proxy');
    run.type(`sesame${keys.enter}`);
    const { status, text: shown } = await run.end();
    expect(shown).toContain('Cursor uses http://me:***@10.0.0.2:7890');
    expect(shown).not.toContain('sesame');
    expect(status).toBe(0);
    expect(await text()).toContain('"http://me:sesame@10.0.0.2:7890"');
  });

  it.each([
    ['editor check --settings missing.json --host a.example', 3, 'http.proxy is not set'],
    ['editor configure --settings broken.json --proxy http://p:1', 3, 'broken.json:3:3'],
    ['editor remove --editor cursor', 0, 'restored http.proxy'],
    ['editor remove --editor cursor', 11, 'STATE_INVALID'],
    ['editor configure --proxy http://p:1', 2, '--editor cursor'],
    ['editor configure --editor emacs', 2, 'Allowed choices'],
    ['editor check --editor code --settings a.json', 2, 'cannot be used with'],
    ['editor dance', 2, 'unknown command'],
  ])('landfall %s ends', async (args, status, shown) => {
    const end = await rig.run(...args.split(' '));
    // Long sentences are wrapped.
    expect(end.text.replaceAll(/\s+/g, ' ')).toContain(shown);
    expect(end.status).toBe(status);
  });

  it('leaves the original settings of the editor at the end', async () => {
    expect(await text()).toBe(original);
  });
});
