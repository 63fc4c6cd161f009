import { createReadStream } from 'node:fs';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ByteReader } from '#contract/bundle/byte-reader.ts';
import { provenanceName } from '#contract/bundle/head.ts';
import { readHead } from '#contract/bundle/read-head.ts';
import { provenancePayload } from '#contract/trust/provenance.ts';
import { tinyGguf } from '../../../stand-ins/engine/gguf/tiny-gguf.ts';
import { ModelBuildRig } from '../model-build-rig.ts';

// A build bundles the server program, which is slow.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

let rig: ModelBuildRig;
beforeAll(async () => {
  rig = await ModelBuildRig.start(tinyGguf(1));
  await rig.writeAppliance('appliance.yaml');
  await rig.lock();
});
afterAll(() => rig.close());

it('names the commit of a workflow in the provenance of a bundle', async () => {
  const printed = await rig.build('dist', [], 'store', {
    GITHUB_ACTIONS: 'true',
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_REPOSITORY: 'OWNER/landfall',
    GITHUB_REF: 'refs/tags/v1.0.0',
    GITHUB_SHA: 'c'.repeat(40),
    GITHUB_WORKFLOW_REF: 'OWNER/landfall/.github/workflows/release.yml@refs/tags/v1.0.0',
  });
  expect(printed).toContain('no recovery key');
  const { members } = await readHead(new ByteReader(createReadStream(rig.bundle('dist'))));
  const payload = provenancePayload(members.get(provenanceName) ?? Buffer.alloc(0));
  expect(JSON.parse(Buffer.from(payload ?? []).toString())).toMatchObject({
    predicate: {
      buildDefinition: {
        resolvedDependencies: expect.arrayContaining([
          {
            uri: 'git+https://github.com/OWNER/landfall@refs/tags/v1.0.0',
            digest: { gitCommit: 'c'.repeat(40) },
          },
        ]),
      },
    },
  });
});
