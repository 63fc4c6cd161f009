import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { modelBlobPath } from '#contract/bundle/bundle-paths.ts';
import { type ModelName, parseModelName } from '#contract/bundle/model-name.ts';
import type { Amount } from '#contract/text/amount.ts';
import { layOutModel } from '../../../../appliance/stages/models/lay-out-model.ts';
import { rejectionOf } from '../../../setup/landfall-error.ts';
import { blobOfHost, bundledModel, manifestOfHost, serverWith, store } from './bundled-model.ts';

const tiny = bundledModel('tiny:1b');
const [weights = tiny.model.manifest] = [...tiny.blobs.keys()].slice(1);

function server(...bundled: Parameters<typeof serverWith>[0]) {
  const { host, context, put } = serverWith(bundled.length > 0 ? bundled : [tiny]);
  const amounts: Amount[] = [];
  const report = { ...context.report, progress: (amount: Amount) => amounts.push(amount) };
  const layOut = async ({ model } = tiny) => {
    const { release, releaseFolder } = context;
    const layout = { host, release, releaseFolder, store };
    await layOutModel(layout, nameOf(model.name), model.manifest, report);
  };
  const read = (path: string) => readFileSync(host.path(path));
  return { host, put, layOut, read, amounts };
}

function nameOf(text: string): ModelName {
  const name = parseModelName(text);
  if (name) return name;
  throw new Error(`${text} is no name`);
}

describe('a model that is written to the store', () => {
  it('writes the original manifest of a model, and its blobs under the names that Ollama uses', async () => {
    const { layOut, read } = server();
    await layOut();
    expect(read(manifestOfHost('tiny:1b'))).toEqual(tiny.manifest);
    for (const [digest, bytes] of tiny.blobs) expect(read(blobOfHost(digest))).toEqual(bytes);
  });

  it('writes no other files to the store, because Ollama would list each as a model', async () => {
    const { host, layOut } = server();
    await layOut();
    expect(readdirSync(host.path(store)).sort()).toEqual(['blobs', 'manifests']);
    expect(readdirSync(host.path(dirname(manifestOfHost('tiny:1b'))))).toEqual(['1b']);
    expect(readdirSync(host.path(store, 'blobs'))).toHaveLength(tiny.blobs.size);
  });

  it('makes a model world-readable, like the files that Ollama writes', async () => {
    const { host, layOut } = server();
    await layOut();
    const modeOf = (path: string) => statSync(host.path(path)).mode & 0o7777;
    expect(modeOf(manifestOfHost('tiny:1b'))).toBe(0o644);
    expect(modeOf(blobOfHost(weights))).toBe(0o644);
    expect(modeOf(`${store}/blobs`)).toBe(0o755);
  });

  it('hard-links a model on the same file system', async () => {
    const { host, layOut } = server();
    await layOut();
    const [own, other] = [blobOfHost(weights), `release/${modelBlobPath(weights)}`].map(
      (path) => statSync(host.path(path)).ino,
    );
    expect(own).toBe(other);
  });

  // At its start, Ollama deletes unreferenced blobs that are older than one hour.
  it('sets a current modification time on a model, regardless of the time in the bundle', async () => {
    const { host, layOut } = server();
    utimesSync(host.path('release', modelBlobPath(weights)), 0, 0);
    await layOut();
    expect(statSync(host.path(blobOfHost(weights))).mtimeMs).toBeGreaterThan(Date.now() - 60_000);
  });

  it('shares equal blobs with another model', async () => {
    const twin = bundledModel('twin:1b', 'weights of tiny:1b');
    const { layOut, read } = server(tiny, twin);
    await layOut(tiny);
    await layOut(twin);
    expect(read(manifestOfHost('twin:1b'))).toEqual(twin.manifest);
  });

  it('replaces another model with the same name', async () => {
    const { layOut, read, put } = server();
    put(manifestOfHost('tiny:1b'), '{"another":true}');
    await layOut();
    expect(read(manifestOfHost('tiny:1b'))).toEqual(tiny.manifest);
  });

  it('reports its progress in bytes', async () => {
    const { layOut, amounts } = server();
    await layOut();
    const total = tiny.model.size;
    expect(amounts.at(-1)).toEqual({ done: total, total, unit: 'bytes' });
  });

  it('leaves a model unchanged when it is written again', async () => {
    const { layOut, read, amounts } = server();
    await layOut();
    await layOut();
    expect(read(blobOfHost(weights))).toEqual(tiny.blobs.get(weights));
    expect(amounts.at(-1)?.done).toBe(tiny.model.size);
  });
});

describe('an existing blob', () => {
  // Ollama trusts file names ("cache hit"), so a pull never repairs it.
  it.each([
    ['is truncated', Buffer.from('wei')],
    ['has the correct size and wrong content', Buffer.from('WEIGHTS OF TINY:1B')],
  ])('replaces an existing blob when it %s', async (_, found) => {
    const { layOut, read, put } = server();
    put(blobOfHost(weights), found);
    await layOut();
    expect(read(blobOfHost(weights))).toEqual(tiny.blobs.get(weights));
  });

  it('keeps a correct blob, and sets a current modification time on it', async () => {
    const { host, layOut, put } = server();
    put(blobOfHost(weights), tiny.blobs.get(weights) ?? '');
    utimesSync(host.path(blobOfHost(weights)), 0, 0);
    const { ino } = statSync(host.path(blobOfHost(weights)));
    await layOut();
    const after = statSync(host.path(blobOfHost(weights)));
    expect(after.ino).toBe(ino);
    expect(after.mtimeMs).toBeGreaterThan(Date.now() - 60_000);
  });
});

describe('a store that Ollama has modified', () => {
  it.each(['blobs', 'manifests', 'manifests/registry.ollama.ai/library'])(
    'rejects a symbolic link as %s',
    async (folder) => {
      const { layOut, secret } = serverWithLink(folder);
      expect(await rejectionOf(layOut())).toMatchObject({ code: 'MODEL_FAILED' });
      expect(secret()).toEqual({ files: [], mode: 0o700 });
    },
  );

  it('gets a new folder for temporary files instead of a symbolic link', async () => {
    const { layOut, read, secret } = serverWithLink('landfall-new');
    await layOut();
    expect(read(manifestOfHost('tiny:1b'))).toEqual(tiny.manifest);
    expect(secret()).toEqual({ files: [], mode: 0o700 });
  });

  // Progress is reported while Ollama can write, so the callback stands for a hostile Ollama.
  it.each(['blobs', 'landfall-new', '.'])(
    'keeps files of the server when Ollama replaces %s by a link meanwhile',
    async (folder) => {
      const { host, context, put } = serverWith([tiny]);
      const victims = ['manifest', ...tiny.blobs.keys()].map((each) =>
        each.replace(/^sha256:/, ''),
      );
      for (const name of victims) put(`etc/secret/${name}`, 'secret');
      for (const name of victims) chmodSync(host.path('etc/secret', name), 0o600);
      const swapped = host.path(store, folder);
      let isSwapped = false;
      const progress = () => {
        if (isSwapped) return;
        isSwapped = true;
        renameSync(swapped, host.path('var/moved'));
        symlinkSync(host.path('etc/secret'), swapped);
      };
      const { release, releaseFolder } = context;
      const report = { ...context.report, progress };
      const layout = { host, release, releaseFolder, store };
      const { manifest } = tiny.model;
      await layOutModel(layout, nameOf('tiny:1b'), manifest, report).catch(() => {});
      expect(isSwapped).toBe(true);
      const left = readdirSync(host.path('etc/secret')).sort();
      expect(left).toEqual(victims.sort());
      for (const name of left) {
        expect(statSync(host.path('etc/secret', name)).mode & 0o777).toBe(0o600);
        expect(readFileSync(host.path('etc/secret', name), 'utf8')).toBe('secret');
      }
    },
  );

  // A recursive deletion could be led out of the volume by a link.
  it('keeps a folder that Ollama created between the temporary files', async () => {
    const { put, layOut, read } = server();
    put(`${store}/landfall-new/theirs/file`, 'text');
    await layOut();
    expect(read(`${store}/landfall-new/theirs/file`).toString()).toBe('text');
  });

  /** A folder outside of the store, and a link to it in the store. */
  function serverWithLink(name: string) {
    const found = server();
    const folder = found.host.path('etc/secret');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    mkdirSync(dirname(found.host.path(store, name)), { recursive: true });
    symlinkSync(folder, found.host.path(store, name));
    const secret = () => ({ files: readdirSync(folder), mode: statSync(folder).mode & 0o777 });
    return { ...found, secret };
  }

  it('gets a new blob instead of a symbolic link', async () => {
    const { host, layOut, read, put } = server();
    put('etc/secret', tiny.blobs.get(weights) ?? '');
    utimesSync(host.path('etc/secret'), 0, 0);
    mkdirSync(host.path(store, 'blobs'), { recursive: true });
    symlinkSync(host.path('etc/secret'), host.path(blobOfHost(weights)));
    await layOut();
    expect(lstatSync(host.path(blobOfHost(weights))).isFile()).toBe(true);
    expect(read(blobOfHost(weights))).toEqual(tiny.blobs.get(weights));
    expect(statSync(host.path('etc/secret')).mtimeMs).toBe(0);
  });
});

describe('a release with modified model files', () => {
  it.each([
    ['a blob with other content', weights, 'WEIGHTS OF TINY:1B', 'BLOB_DIGEST'],
    ['a manifest with other content', tiny.model.manifest, '{}', 'MODEL_FAILED'],
  ])('rejects a release with %s, and shows Ollama no model', async (_, digest, content, code) => {
    const { host, layOut, put } = server();
    put(`release/${modelBlobPath(digest)}`, content);
    expect((await rejectionOf(layOut())).code).toBe(code);
    expect(existsSync(host.path(manifestOfHost('tiny:1b')))).toBe(false);
    expect(existsSync(host.path(blobOfHost(digest)))).toBe(false);
    expect(existsSync(host.path(store, 'landfall-new'))).toBe(false);
  });

  it('rejects a release whose manifest lists a blob that the release does not have', async () => {
    const { host, context } = serverWith([tiny]);
    const release = {
      files: context.release.files.filter(({ path }) => path !== modelBlobPath(weights)),
    };
    const { releaseFolder, report } = context;
    const layout = { host, release, releaseFolder, store };
    const layingOut = layOutModel(layout, nameOf('tiny:1b'), tiny.model.manifest, report);
    const error = await rejectionOf(layingOut);
    expect(error.message).toBe(`${modelBlobPath(weights)} is not in the release`);
  });
});

describe('a model on another file system than Ollama', () => {
  // /dev/shm is a separate file system on every Linux.
  const elsewhere = mkdtempSync('/dev/shm/landfall-');
  afterAll(() => rmSync(elsewhere, { recursive: true, force: true }));

  it('copies a model to another file system, and never shows Ollama an incomplete file', async () => {
    const { host, context } = serverWith([tiny]);
    cpSync(context.releaseFolder, elsewhere, { recursive: true });
    const layout = { host, release: context.release, releaseFolder: elsewhere, store };
    await layOutModel(layout, nameOf('tiny:1b'), tiny.model.manifest, context.report);
    const copy = statSync(host.path(blobOfHost(weights)));
    expect(copy.dev).not.toBe(statSync(elsewhere).dev);
    expect([copy.nlink, copy.mode & 0o777]).toEqual([1, 0o644]);
    expect(readFileSync(host.path(blobOfHost(weights)))).toEqual(tiny.blobs.get(weights));
  });

  it('rejects a modified model on another file system', async () => {
    const { host, context } = serverWith([tiny]);
    writeFileSync(join(elsewhere, modelBlobPath(weights)), 'WEIGHTS OF TINY:1B');
    const layout = { host, release: context.release, releaseFolder: elsewhere, store };
    const layingOut = layOutModel(layout, nameOf('tiny:1b'), tiny.model.manifest, context.report);
    expect((await rejectionOf(layingOut)).code).toBe('BLOB_DIGEST');
    expect(existsSync(host.path(blobOfHost(weights)))).toBe(false);
  });
});

describe('an interrupted run', () => {
  it('continues an interrupted run, and deletes its temporary files', async () => {
    const { host, layOut, read } = server();
    mkdirSync(host.path(store, 'landfall-new'), { recursive: true });
    writeFileSync(host.path(store, 'landfall-new', 'manifest'), 'half');
    await layOut();
    expect(existsSync(host.path(store, 'landfall-new'))).toBe(false);
    expect(read(manifestOfHost('tiny:1b'))).toEqual(tiny.manifest);
  });
});
