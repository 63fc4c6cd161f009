import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { displayWidth } from '#contract/text/display-width.ts';
import { Terminal } from '../../appliance/shared/terminal/terminal.ts';
import { makeImage } from '../../faulty-registry/make-image.ts';
import { serve, silence, stallAfter, trickle, wrongBytes } from '../../faulty-server/faults.ts';
import { inTerminal, keys, landfall, type TerminalRun } from '../../pty/terminal.ts';
import { tinyGguf } from '../../stand-ins/engine/gguf/tiny-gguf.ts';
import { ModelBuildRig } from '../commands/model-build-rig.ts';

const image = makeImage({
  layers: [randomBytes(200_000), randomBytes(200_000)],
  compression: 'none',
});
const layers = image.platforms.get('linux/amd64')?.layers ?? [];

let rig: ModelBuildRig;
beforeAll(async () => {
  rig = await ModelBuildRig.start(tinyGguf(1));
  rig.images.push('team/app:1', image);
  await rig.writeAppliance('appliance.yaml');
  await rig.lock();
});
afterAll(() => rig.close());

const blobPath = (index: number) => `/v2/team/app/blobs/${layers[index]?.digest}`;

/** Builds a full bundle with a separate store, on a terminal of 100 columns. */
function build(name: string): TerminalRun {
  const options = ['--full', '--frozen', '--key', 'release.key', '--output', name];
  const store = ['--store', rig.path(`store-${name}`)];
  const { cwd, env } = rig.terminal;
  const plain = { cwd, env: { ...env, NO_COLOR: '1' }, columns: 100 };
  return inTerminal([...landfall, 'build', ...options, ...store], plain);
}
const lock = (...args: string[]) =>
  inTerminal([...landfall, 'lock', '--store', rig.path('store-lock'), ...args], rig.terminal);

describe('landfall lock on a terminal', () => {
  it('ends once everything is locked', async () => {
    const { status, text } = await lock('--update').end();
    expect(text).toContain('1 images, 0 models');
    expect(status).toBe(0);
  });

  it('ends on Ctrl-C while a registry does not respond', async () => {
    rig.images.fault('/v2/team/app/manifests/1', silence());
    const run = lock('--update', 'ui');
    await run.shows('resolving');
    run.type(keys.interrupt);
    expect((await run.end()).status).toBe(130);
    rig.images.fault('/v2/team/app/manifests/1', undefined);
  });

  it('ends when there is nothing to lock', async () => {
    const { status, text } = await lock('--config', 'none.yaml').end();
    expect(text).toContain('CONFIG_MISSING');
    expect(status).toBe(3);
  });
});

describe('landfall build on a terminal', () => {
  it('ends when a transfer fails while another one stalls', async () => {
    rig.images.fault(blobPath(0), wrongBytes(layers[0]?.bytes ?? Buffer.alloc(0)));
    rig.images.fault(blobPath(1), stallAfter(100_000, layers[1]?.bytes ?? Buffer.alloc(0)));
    const { status, text } = await build('failing').end();
    expect(text).toContain('BLOB_DIGEST');
    expect(status).toBe(5);
  });

  it('ends on Ctrl-C while a transfer runs', async () => {
    rig.images.fault(blobPath(0), stallAfter(100_000, layers[0]?.bytes ?? Buffer.alloc(0)));
    const run = build('interrupted');
    await run.shows('writing amd64');
    run.type(keys.interrupt);
    expect((await run.end()).status).toBe(130);
  });

  it('shows rows that fit, marks waiting transfers, and removes the rows', async () => {
    rig.images.fault(blobPath(0), trickle(layers[0]?.bytes ?? Buffer.alloc(0), 20_000, 100));
    rig.images.fault(blobPath(1), serve(layers[1]?.bytes ?? Buffer.alloc(0)));
    const run = build('good');
    await run.shows('writing amd64');
    await run.shows(' waiting\n');
    const { status, text, output } = await run.end();
    expect(status).toBe(0);
    const rows = text.split('\n').filter((line) => line.includes('%'));
    for (const row of rows) expect(displayWidth(row)).toBeLessThan(100);
    const screen = new Terminal(100, 40);
    screen.write(output);
    const lines = screen.lines();
    const heading = lines.indexOf('building the full bundle for amd64');
    expect(heading, lines.join('\n')).toBeGreaterThan(0);
    expect(lines[heading + 1]).toMatch(/landfall-1\.0\.0-amd64\.tar +full/);
  });
});
