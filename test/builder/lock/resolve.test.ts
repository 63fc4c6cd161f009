import { describe, expect, it } from 'vitest';
import { digestOf } from '#contract/digest.ts';
import { LandfallError } from '#contract/errors.ts';
import { lockInputs } from '../../../builder/lock/inputs.ts';
import { type Lock, unresolved, unresolvedIn } from '../../../builder/lock/lock.ts';
import { type ResolveDeps, refuseUnresolved, resolveLock } from '../../../builder/lock/resolve.ts';
import type { Platform } from '../../../builder/platform.ts';
import { silentReporter } from '../../../builder/report/reporter.ts';
import type { Document, ImageSource } from '../../../builder/sources/source.ts';
import { lockFor, someAppliance } from './fixture.ts';

function document(text: string): Document {
  const bytes = Buffer.from(text);
  return { bytes, descriptor: { mediaType: 'x/y', digest: digestOf(bytes), size: bytes.length } };
}

/** A source that answers from its image's name and counts what it is asked. */
function countingDeps(): ResolveDeps & { asked: string[] } {
  const asked: string[] = [];
  const layer = { mediaType: 'x/layer', digest: digestOf('layer'), size: 500 };
  const openSource = (image: string): ImageSource => ({
    async resolve(platforms: readonly Platform[]) {
      asked.push(image);
      return {
        index: document(`new index of ${image}`),
        platforms: platforms.map((platform) => ({
          platform,
          manifest: document(`${image} ${platform} manifest`),
          config: document(`${image} ${platform} config`),
          layers: [layer, layer],
        })),
      };
    },
    async fetch() {},
  });
  return {
    asked,
    openSource,
    async measure(urls) {
      asked.push(urls.join());
      return { size: 7, sha256: 'f'.repeat(64) };
    },
    async resolveModel(name) {
      asked.push(name);
      return { manifest: digestOf(`${name} new`), size: 11 };
    },
    async measureGguf(place, sha256) {
      asked.push(place);
      return { sha256: sha256 ?? 'e'.repeat(64), size: 12 };
    },
    reporter: silentReporter,
    now: new Date('2026-11-21T10:11:12.345Z'),
  };
}

const appliance = someAppliance({});
const inputs = lockInputs(appliance);

describe('locking for the first time', () => {
  it('asks for every image and file and leaves nothing open', async () => {
    const deps = countingDeps();
    const lock = await resolveLock(inputs, undefined, new Set(), deps);
    expect(deps.asked).toHaveLength(2 + 4);
    expect(unresolvedIn(lock)).toEqual([]);
  });

  it('carries the time in whole seconds', async () => {
    const lock = await resolveLock(inputs, undefined, new Set(), countingDeps());
    expect(lock.created).toBe('2026-11-21T10:11:12Z');
  });

  it('counts a layer that an image uses twice once', async () => {
    const lock = await resolveLock(inputs, undefined, new Set(), countingDeps());
    const image = 'ollama/ollama:1 linux/amd64';
    const documents = `${image} manifest`.length + `${image} config`.length;
    expect(lock.images.engine?.platforms['linux/amd64']?.size).toBe(documents + 500);
  });
});

describe('locking again', () => {
  it('asks for nothing when nothing changed', async () => {
    const deps = countingDeps();
    const lock = await resolveLock(inputs, lockFor(appliance), new Set(), deps);
    expect(deps.asked).toEqual([]);
    expect({ ...lock, created: '' }).toEqual({ ...lockFor(appliance), created: '' });
  });

  it('asks for the one component that is to be updated, though its tag is the same', async () => {
    const deps = countingDeps();
    await resolveLock(inputs, lockFor(appliance), new Set(['ui']), deps);
    expect(deps.asked).toEqual(['ghcr.io/open-webui/open-webui:main']);
  });

  it('asks for what was left unresolved', async () => {
    const previous: Lock = structuredClone(lockFor(appliance));
    const engine = previous.images.engine?.platforms['linux/arm64'];
    if (engine) engine.config = unresolved;
    const deps = countingDeps();
    await resolveLock(inputs, previous, new Set(), deps);
    expect(deps.asked).toEqual(['ollama/ollama:1']);
  });

  it('drops a platform that is not built for any more, without asking', async () => {
    const deps = countingDeps();
    const narrow = lockInputs(someAppliance({ platforms: ['linux/amd64'] }));
    const lock = await resolveLock(narrow, lockFor(appliance), new Set(), deps);
    expect(deps.asked).toEqual([]);
    expect(Object.keys(lock.images.engine?.platforms ?? {})).toEqual(['linux/amd64']);
  });
});

describe('a lock that leaves things open', () => {
  it('is refused with all of them named', () => {
    const lock = structuredClone(lockFor(appliance));
    const ui = lock.images.ui;
    const node = lock.files.node?.['linux/amd64'];
    if (ui) ui.index = unresolved;
    if (node) node.size = unresolved;
    const refuse = () => refuseUnresolved(lock);
    expect(refuse).toThrow(LandfallError);
    expect(refuse).toThrow(
      expect.objectContaining({
        code: 'LOCK_UNRESOLVED',
        problems: [{ message: 'ui: index' }, { message: 'node linux/amd64: size' }],
      }),
    );
  });
});
