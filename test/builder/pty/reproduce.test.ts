import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { inTerminal, keys, landfall, type TerminalRun } from '../../pty/terminal.ts';
import { tinyGguf } from '../../stand-ins/engine/gguf/tiny-gguf.ts';
import { ModelBuildRig } from '../commands/model-build-rig.ts';

// Each run bundles the server program again, which is slow.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const manifest = 'dist/landfall-1.0.0-amd64.release.json';

let rig: ModelBuildRig;
beforeAll(async () => {
  rig = await ModelBuildRig.start(tinyGguf(1));
  await rig.writeAppliance('appliance.yaml');
  await rig.lock();
  await rig.build('dist', []);
});
afterAll(() => rig.close());

const reproduce = (source: string): TerminalRun =>
  inTerminal(
    [...landfall, 'build', '--reproduce', source, '--store', rig.path('store')],
    rig.terminal,
  );

describe('landfall build --reproduce on a terminal', () => {
  it('ends after success', async () => {
    const { status, text } = await reproduce(manifest).end();
    expect(text).toContain('reproduced: landfall 1.0.0 for amd64, thin');
    expect(status).toBe(0);
  });

  it('ends if the release differs', async () => {
    await writeFile(rig.path('stack/more.conf'), 'more');
    const { status, text } = await reproduce(manifest).end();
    expect(text).toContain('BUNDLE_DIFFERS');
    expect(text).toContain('differs');
    expect(status).toBe(6);
  });

  it('ends on Ctrl-C while a server does not respond', async () => {
    const asked = Promise.withResolvers<void>();
    rig.web.answer(() => asked.resolve());
    const run = reproduce(rig.web.url('/r.release.json').href);
    await asked.promise;
    run.type(keys.interrupt);
    expect((await run.end()).status).toBe(130);
  });
});
