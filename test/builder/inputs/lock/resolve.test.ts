import { describe, expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import { type Digest, digestOf } from '#contract/trust/digest.ts';
import type { Platform } from '../../../../builder/base/platform.ts';
import { silentReporter } from '../../../../builder/base/progress/reporter.ts';
import { lockInputs } from '../../../../builder/inputs/lock/inputs.ts';
import {
  type Lock,
  type LockedPlatform,
  unresolved,
  unresolvedIn,
} from '../../../../builder/inputs/lock/lock.ts';
import { encodeLock } from '../../../../builder/inputs/lock/lock-file.ts';
import { lockFailure } from '../../../../builder/inputs/lock/pending-entry.ts';
import {
  type ResolveDeps,
  refuseUnresolved,
  resolveLock,
} from '../../../../builder/inputs/lock/resolve.ts';
import type { Document, ImageSource } from '../../../../builder/inputs/sources/source.ts';
import { lockFor, someAppliance } from './fixture.ts';

function document(text: string): Document {
  const bytes = Buffer.from(text);
  return { bytes, descriptor: { mediaType: 'x/y', digest: digestOf(bytes), size: bytes.length } };
}

const other = (digit: string) => `sha256:${digit.repeat(64)}`;

/** Returns sources with values derived from names, and records the requests. */
function countingDeps(): ResolveDeps & { asked: string[] } {
  const asked: string[] = [];
  const layer = { mediaType: 'x/layer', digest: digestOf('layer'), size: 500 };
  const openSource = (image: string): ImageSource => ({
    async resolve(platforms: readonly Platform[]) {
      asked.push(image);
      const [, digest] = image.split('@');
      if (digest === other('a')) throw notFound(image);
      const index = document(`new index of ${image}`);
      const descriptor = { ...index.descriptor, digest: (digest as Digest) ?? digestOf('tag') };
      return {
        index: digest === other('b') ? index : { ...index, descriptor },
        platforms: platforms.map((platform) => ({
          platform,
          manifest: document(`${platform} manifest`),
          config: document(`${platform} config`),
          layers: [layer, layer],
        })),
      };
    },
    async fetch() {},
  });
  return {
    asked,
    openSource,
    async measure(urls, sha256) {
      asked.push([...urls, ...(sha256 ? [sha256] : [])].join());
      return { size: 7, sha256: sha256 ?? 'f'.repeat(64) };
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

function notFound(image: string): LandfallError {
  return new LandfallError('IMAGE_NOT_FOUND', `the registry has no ${image}`);
}

/** Returns the lock of the fixture with changed fields of the image engine. */
function lockWith(index: string, amd64: Partial<LockedPlatform> = {}): Lock {
  const lock = structuredClone(lockFor(appliance));
  const { engine } = lock.images;
  if (!engine?.platforms['linux/amd64']) throw new Error('the fixture lost a component');
  engine.index = index;
  Object.assign(engine.platforms['linux/amd64'], amd64);
  return lock;
}

const appliance = someAppliance({});
const inputs = lockInputs(appliance);

describe('the first lock of an appliance', () => {
  it('requests every image and file, and resolves all values', async () => {
    const deps = countingDeps();
    const { lock } = await resolveLock(inputs, undefined, new Set(), deps);
    expect(deps.asked).toHaveLength(2 + 4);
    expect(unresolvedIn(lock)).toEqual([]);
  });

  it('contains the time in whole seconds', async () => {
    const { lock } = await resolveLock(inputs, undefined, new Set(), countingDeps());
    expect(lock.created).toBe('2026-11-21T10:11:12Z');
  });

  it('counts a layer once that an image uses twice', async () => {
    const { lock } = await resolveLock(inputs, undefined, new Set(), countingDeps());
    const documents = 'linux/amd64 manifest'.length + 'linux/amd64 config'.length;
    expect(lock.images.engine?.platforms['linux/amd64']?.size).toBe(documents + 500);
  });
});

describe('a further lock of an appliance', () => {
  it('requests nothing if nothing changed', async () => {
    const deps = countingDeps();
    const { lock } = await resolveLock(inputs, lockFor(appliance), new Set(), deps);
    expect(deps.asked).toEqual([]);
    expect({ ...lock, created: '' }).toEqual({ ...lockFor(appliance), created: '' });
  });

  it('requests a component that should be updated, even with the same tag', async () => {
    const deps = countingDeps();
    await resolveLock(inputs, lockFor(appliance), new Set(['ui']), deps);
    expect(deps.asked).toEqual(['ghcr.io/open-webui/open-webui:main']);
  });

  it('requests unresolved values by the known digest', async () => {
    const index = digestOf('engine index');
    const { 'linux/arm64': arm64 } = lockFor(appliance).images.engine?.platforms ?? {};
    const previous = lockWith(index, {
      manifest: unresolved,
      config: unresolved,
      size: unresolved,
    });
    Object.assign(previous.images.engine?.platforms ?? {}, {
      'linux/arm64': { ...arm64, manifest: unresolved, config: unresolved, size: unresolved },
    });
    const deps = countingDeps();
    const { lock, failures } = await resolveLock(inputs, previous, new Set(), deps);
    expect(failures).toEqual([]);
    expect(deps.asked).toEqual([`ollama/ollama:1@${index}`]);
    expect(lock.images.engine?.index).toBe(index);
    expect(unresolvedIn(lock)).toEqual([]);
  });

  it('requests an added platform by the known digest', async () => {
    const narrow = someAppliance({ platforms: ['linux/amd64'] });
    const deps = countingDeps();
    const previous = lockFor(narrow);
    const amd64 = previous.images.engine?.platforms['linux/amd64'];
    const known = { manifest: digestOf('linux/amd64 manifest'), config: unresolved } as const;
    if (amd64) Object.assign(amd64, { ...known, size: unresolved });
    const { failures } = await resolveLock(inputs, previous, new Set(), deps);
    expect(deps.asked).toContain(`ollama/ollama:1@${digestOf('engine index')}`);
    expect(failures.map(({ name }) => name)).not.toContain('engine');
  });

  it('drops a removed platform without a request', async () => {
    const deps = countingDeps();
    const narrow = lockInputs(someAppliance({ platforms: ['linux/amd64'] }));
    const { lock } = await resolveLock(narrow, lockFor(appliance), new Set(), deps);
    expect(deps.asked).toEqual([]);
    expect(Object.keys(lock.images.engine?.platforms ?? {})).toEqual(['linux/amd64']);
  });
});

describe('a source that differs from the lock', () => {
  const problemsOf = async (previous: Lock) => {
    const { lock, failures } = await resolveLock(inputs, previous, new Set(), countingDeps());
    expect(lock.images.engine).toEqual(previous.images.engine);
    return failures.map(({ name, error }) => [name, error.code, error.problems[0]?.message]);
  };

  it('reports both digests for another manifest of a platform', async () => {
    const previous = lockWith(digestOf('engine index'), {
      manifest: other('c'),
      config: unresolved,
    });
    const found = digestOf('linux/amd64 manifest');
    expect(await problemsOf(previous)).toEqual([
      ['engine', 'LOCK_DRIFT', `manifest: locked ${other('c')}, found ${found}`],
    ]);
  });

  it('reports both digests for another index', async () => {
    const previous = lockWith(other('b'), { size: unresolved });
    const found = digestOf(`new index of ollama/ollama:1@${other('b')}`);
    expect(await problemsOf(previous)).toEqual([
      ['engine', 'LOCK_DRIFT', `index: locked ${other('b')}, found ${found}`],
    ]);
  });

  it('reports the current digest of the tag if the registry does not have the locked one', async () => {
    const previous = lockWith(other('a'), { size: unresolved });
    const now = digestOf('tag');
    expect(await problemsOf(previous)).toEqual([
      ['engine', 'LOCK_DRIFT', `index: locked ${other('a')}, ollama/ollama:1 is now ${now}`],
    ]);
  });
});

describe('a further lock of external files', () => {
  const plugin = (lock: Lock) => lock.files['compose-plugin']?.['linux/amd64'];

  it('requests a known SHA-256 if only its size is unknown', async () => {
    const previous = structuredClone(lockFor(appliance));
    Object.assign(plugin(previous) ?? {}, { size: unresolved, sha256: 'a'.repeat(64) });
    const deps = countingDeps();
    const { lock } = await resolveLock(inputs, previous, new Set(), deps);
    const [url = ''] = plugin(previous)?.urls ?? [];
    expect(deps.asked).toEqual([`${url},${'a'.repeat(64)}`]);
    expect(plugin(lock)).toMatchObject({ size: 7, sha256: 'a'.repeat(64) });
  });

  it('keeps a SHA-256 when a mirror is added', async () => {
    const { version, urls } = appliance.compose_plugin;
    const mirrored = ['https://mirror.example/{version}/{machine}', ...urls];
    const wanted = lockInputs(someAppliance({ compose_plugin: { version, urls: mirrored } }));
    const deps = countingDeps();
    const { lock } = await resolveLock(wanted, lockFor(appliance), new Set(), deps);
    expect(deps.asked).toEqual([]);
    expect(plugin(lock)).toEqual({
      ...plugin(lockFor(appliance)),
      urls: wanted.files['compose-plugin']?.['linux/amd64'],
    });
  });
});

describe('a failed source', () => {
  function depsWith(broken: string): ResolveDeps {
    const deps = countingDeps();
    return {
      ...deps,
      openSource: (image) =>
        image.startsWith(broken)
          ? { resolve: async () => Promise.reject(notFound(image)), async fetch() {} }
          : deps.openSource(image),
      measure: async (urls) => {
        throw new LandfallError('NETWORK_UNREACHABLE', `${urls} is not reachable`);
      },
    };
  }

  it('does not affect other entries, and every failure is listed', async () => {
    const { lock, failures } = await resolveLock(inputs, undefined, new Set(), depsWith('ollama'));
    expect(failures.map(({ name }) => name)).toEqual([
      'engine',
      'compose-plugin for linux/amd64',
      'compose-plugin for linux/arm64',
      'node for linux/amd64',
      'node for linux/arm64',
    ]);
    expect(lock.images.ui?.index).toBe(digestOf('tag'));
    expect(lock.images.engine?.index).toBe(unresolved);
  });

  it('results in a lock without YAML aliases', async () => {
    const { lock } = await resolveLock(inputs, undefined, new Set(), depsWith(''));
    expect(encodeLock(lock)).not.toMatch(/[&*]a1/);
  });

  it('keeps the locked digests if an update fails', async () => {
    const { lock } = await resolveLock(
      inputs,
      lockFor(appliance),
      new Set(['engine', 'node']),
      depsWith('ollama'),
    );
    expect(lock.images.engine).toEqual(lockFor(appliance).images.engine);
    expect(lock.files.node).toEqual(lockFor(appliance).files.node);
  });

  it('reports a failed source with the setting for another source', async () => {
    const { failures } = await resolveLock(inputs, undefined, new Set(), {
      ...depsWith('ollama'),
      openSource: () => ({
        resolve: async () =>
          Promise.reject(new LandfallError('NETWORK_TIMEOUT', 'the response timed out')),
        async fetch() {},
      }),
    });
    const { code, problems } = lockFailure('my.lock.yaml', failures);
    expect(code).toBe('LOCK_UNRESOLVED');
    expect(problems.map(({ message, hint }) => `${message} ${hint}`)).toEqual([
      expect.stringContaining('--mirror docker.io=<url>'),
      expect.stringContaining('--mirror ghcr.io=<url>'),
      expect.stringContaining('compose_plugin.urls'),
      expect.stringContaining('compose_plugin.urls'),
      expect.stringContaining('npm_config_registry'),
      expect.stringContaining('npm_config_registry'),
    ]);
  });

  it('determines the error code if all failures have the same', async () => {
    const { failures } = await resolveLock(inputs, lockFor(appliance), new Set(['engine']), {
      ...depsWith('ollama'),
    });
    expect(lockFailure('my.lock.yaml', failures)).toMatchObject({
      code: 'IMAGE_NOT_FOUND',
      message: 'locking failed: engine',
    });
  });
});

describe('an incomplete lock', () => {
  it('rejects an incomplete lock with all unresolved values', () => {
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
