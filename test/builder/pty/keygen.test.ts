import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keys } from '../../pty/terminal.ts';
import { TerminalRig } from './rig.ts';

let rig: TerminalRig;
beforeAll(async () => {
  rig = await TerminalRig.make();
});
afterAll(() => rig.close());

const passphrase = 'open sesame';
/** The tests depend on their order. */
describe('a key on a terminal', () => {
  it('creates no key if the passphrase prompt is cancelled', async () => {
    const run = rig.start('keygen', '--passphrase');
    await run.shows('New passphrase');
    run.type(`half${keys.interrupt}`);
    const { status, text } = await run.end();
    expect(text).toContain('cancelled: nothing was changed');
    expect(status).toBe(130);
  });

  it('creates a key with a passphrase that is not echoed', async () => {
    const run = rig.start('keygen', '--passphrase');
    await run.shows('New passphrase');
    run.type(`${passphrase}${keys.enter}`);
    await run.shows('Repeat the passphrase');
    run.type(`${passphrase}${keys.enter}`);
    const { status, text } = await run.end();
    expect(text).toContain('.config/landfall/keys/release.key');
    expect(text).not.toContain('sesame');
    expect(status).toBe(0);
  });

  it('refuses to overwrite an existing key', async () => {
    const { status, text } = await rig.run('keygen');
    expect(text).toContain('KEY_EXISTS');
    expect(status).toBe(7);
  });

  it('refuses to decrypt a key with a wrong passphrase, or after a cancelled prompt', async () => {
    const wrong = rig.start('build');
    await wrong.shows('Key passphrase');
    wrong.type(`close sesame${keys.enter}`);
    const { status, text } = await wrong.end();
    expect(text).toContain('KEY_PASSPHRASE');
    expect(status).toBe(7);
    const cancelled = rig.start('build');
    await cancelled.shows('Key passphrase');
    cancelled.type(keys.interrupt);
    expect((await cancelled.end()).status).toBe(130);
  });
});
