import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keys } from '../../pty/terminal.ts';
import { makeBundle } from '../../simulator/bundle.ts';
import { TerminalRig } from './rig.ts';

let rig: TerminalRig;
const passphrase = 'open sesame';

beforeAll(async () => {
  rig = await TerminalRig.make();
  await mkdir(join(rig.folder, 'v1.2.0'));
  await writeFile(join(rig.folder, 'v1.2.0/landfall-1.2.0-amd64.tar'), makeBundle());
  for (const name of ['release', 'recovery']) {
    const run = rig.start('keygen', '--output', name, '--passphrase');
    await run.shows('New passphrase');
    run.type(`${passphrase}${keys.enter}`);
    await run.shows('Repeat the passphrase');
    run.type(`${passphrase}${keys.enter}`);
    expect((await run.end()).status).toBe(0);
  }
});
afterAll(() => rig.close());

/** Runs a command that needs a key, and answers the prompt. */
async function answer(input: string, ...args: string[]) {
  const run = rig.start(...args);
  await run.shows('Key passphrase');
  run.type(input);
  return await run.end();
}

const sign = ['channel', 'sign', '--key', 'release.key'];
const rotate = ['trust', 'rotate', '--key', 'recovery.key', '--release-key', 'release.pub'];

/** The tests depend on their order. */
describe('a channel on a terminal', () => {
  it('creates a channel from a release folder', async () => {
    const { status, text } = await rig.run('channel', 'add', 'v1.2.0');
    expect(text).toContain('changed and not signed: run `landfall channel sign`');
    expect(status).toBe(0);
  });

  it.each([
    ['a channel', sign],
    ['a rotation', rotate],
  ])('signs %s only with the right passphrase, and nothing after Ctrl-C', async (_what, args) => {
    const wrong = await answer(`close sesame${keys.enter}`, ...args);
    expect(wrong.text).toContain('KEY_PASSPHRASE');
    expect(wrong.status).toBe(7);
    expect((await answer(keys.interrupt, ...args)).status).toBe(130);
    const right = await answer(`${passphrase}${keys.enter}`, ...args);
    expect(right.status).toBe(0);
    expect(right.text).not.toContain('sesame');
  });

  it('shows both afterwards', async () => {
    expect((await rig.run('channel', 'show')).text).toMatch(/serial 1, rotation 0 of the keys/);
    expect((await rig.run('trust', 'show')).text).toMatch(/after rotation 1:\s+release key/);
  });
});
