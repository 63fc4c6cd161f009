import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readPublicKey } from '#contract/trust/keys.ts';
import { workFolder } from '../../../simulator/work-folder.ts';
import { tinyGguf } from '../../../stand-ins/engine/gguf/tiny-gguf.ts';
import { ModelBuildRig } from '../../commands/model-build-rig.ts';
import { ActionCheckout, type ActionRun } from './checkout.ts';

let rig: ModelBuildRig;
let run: ActionRun;
let key: string;
beforeAll(async () => {
  rig = await ModelBuildRig.start(tinyGguf(1));
  await rig.writeAppliance('appliance.yaml');
  await rig.lock();
  key = await readFile(rig.path('release.key'), 'utf8');
  const checkout = await ActionCheckout.create(await workFolder(), rig.folder);
  await checkout.useRealBuilder();
  const inputs = { kind: 'full', platforms: 'linux/amd64', output: 'dist' };
  run = await checkout.run(inputs, { ...rig.terminal.env, RELEASE_KEY: key });
});
afterAll(() => rig.close());

describe('the GitHub Action', () => {
  it('builds a bundle that its output names and that verifies', async () => {
    expect(run).toMatchObject({ exitCode: 0 });
    expect(run.outputs.bundles).toBe(rig.bundle('dist'));
    expect(run.outputs.manifests).toBe(rig.path('dist/landfall-1.0.0-amd64.release.json'));
    const release = await rig.verify('dist', async () => {});
    expect(release.kind).toBe('full');
  });

  it('reports the ID of the signing key', async () => {
    const { id } = readPublicKey(await readFile(rig.path('release.pub'), 'utf8'));
    expect(run.outputs['key-id']).toBe(id);
    expect(run.summary).toContain(id);
  });

  it('writes a summary with the size and the SHA-256 of release.json', async () => {
    const manifest = await readFile(rig.path('dist/landfall-1.0.0-amd64.release.json'));
    expect(run.summary).toContain(createHash('sha256').update(manifest).digest('hex'));
    expect(run.summary).toMatch(/<td>landfall-1\.0\.0-amd64<\/td><td>[\d.]+ [kM]?B<\/td>/);
  });

  it('masks the private key before any other output, and prints it nowhere else', () => {
    const mask = `::add-mask::${key.replaceAll('\n', '%0A')}`;
    expect(run.log.startsWith(mask)).toBe(true);
    const secret = key.split('\n')[1] ?? '';
    expect(run.log.slice(mask.length)).not.toContain(secret);
    expect(run.summary).not.toContain(secret);
  });
});
