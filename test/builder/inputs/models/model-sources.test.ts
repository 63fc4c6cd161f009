import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { digestOf, sha256Hex } from '#contract/trust/digest.ts';
import { type GgufInput, ggufModel } from '../../../../builder/inputs/models/model-sources.ts';
import { readModelManifest } from '../../../../builder/inputs/models/registry-models.ts';
import { type Equipment, equip, refusalOf } from '../../../faulty-registry/equipment.ts';
import {
  cutOnceRead,
  html,
  inTurn,
  serve,
  status,
  wrongBytes,
} from '../../../faulty-server/faults.ts';
import { FaultyServer } from '../../../faulty-server/faulty-server.ts';
import { tinyGguf } from '../../../stand-ins/engine/gguf/tiny-gguf.ts';

const parts: GgufInput = {
  name: 'mine:1b',
  gguf: { architecture: 'llama', fileType: 'Q4_K_M', parameters: '1.2B' },
  weights: { digest: digestOf('weights'), size: 7 },
};
const params = '{"num_predict":4096}';
const template = '{{ .System }}\n{{ .Prompt }}';

describe('a model from a GGUF file', () => {
  it('writes a manifest for a GGUF file like that of a model in a registry', () => {
    const { manifest, size, blobs, made } = ggufModel({ ...parts, template });
    const read = readModelManifest(manifest.bytes, 'mine:1b');
    expect(read.size).toBe(size);
    expect(read.blobs.map(({ digest }) => digest)).toEqual([
      made[0]?.descriptor.digest,
      blobs[0]?.digest,
      made[1]?.descriptor.digest,
      made[2]?.descriptor.digest,
    ]);
  });

  it('writes a configuration for a GGUF file with all fields that Ollama shows', () => {
    const [config] = ggufModel(parts).made;
    expect(JSON.parse(String(config?.bytes))).toEqual({
      model_format: 'gguf',
      model_family: 'llama',
      model_families: ['llama'],
      model_type: '1.2B',
      file_type: 'Q4_K_M',
      architecture: 'amd64',
      os: 'linux',
      rootfs: { type: 'layers', diff_ids: [digestOf('weights'), digestOf(params)] },
    });
  });

  it('adds the template of a GGUF file as a layer, byte for byte', () => {
    const { made, manifest } = ggufModel({ ...parts, template });
    expect(String(made[1]?.bytes)).toBe(template);
    const { layers } = JSON.parse(String(manifest.bytes));
    expect(layers.map(({ mediaType }: { mediaType: string }) => mediaType)).toEqual([
      'application/vnd.ollama.image.model',
      'application/vnd.ollama.image.template',
      'application/vnd.ollama.image.params',
    ]);
  });

  it('adds a default token limit to a model from a GGUF file, so that answers end', () => {
    const { made } = ggufModel(parts);
    expect(made[1]?.descriptor.mediaType).toBe('application/vnd.ollama.image.params');
    expect(String(made[1]?.bytes)).toBe(params);
  });

  it('builds the same digest from the same GGUF file in every release', () => {
    expect(ggufModel(parts).manifest.descriptor.digest).toBe(
      'sha256:79feb4c7c573c4bdc7c9141be9114dfdae4a1d745d39f4242d0f7757b67464bb',
    );
    expect(ggufModel({ ...parts, template }).manifest).not.toEqual(ggufModel(parts).manifest);
  });

  it('does not contain its name: two names of one file share all blobs', () => {
    expect(ggufModel({ ...parts, name: 'other:1b' }).manifest).toEqual(ggufModel(parts).manifest);
  });
});

const bytes = tinyGguf(5);
const sha256 = sha256Hex(bytes);
const known = { sha256, size: bytes.length };

let web: FaultyServer;
let tools: Equipment;
let url: string;
beforeEach(async () => {
  web = await FaultyServer.start({ '/mine.gguf': serve(bytes) });
  url = web.url('/mine.gguf').href;
  tools = await equip();
});
afterEach(async () => {
  await tools.close();
  await web.close();
});

const measure = (place: string, checksum?: string) =>
  tools.models.measure(place, checksum, tools.folder);
const obtain = (place: string, file = known) =>
  tools.models.make({ name: 'mine', source: place, ...file }, tools.folder);
const stored = () => readFile(tools.store.path(`sha256:${sha256}`));

describe('a GGUF file at a URL', () => {
  it('measures a GGUF file at a URL in one pass, and stores it', async () => {
    expect(await measure(url)).toEqual(known);
    await obtain(url);
    expect(web.seen('/mine.gguf')).toHaveLength(1);
    expect(await stored()).toEqual(bytes);
  });

  it('resumes the download of a GGUF file with a known checksum', async () => {
    web.answer({
      '/mine.gguf': (visit) =>
        visit.request.headers.range === 'bytes=0-0'
          ? serve(bytes)(visit)
          : inTurn(
              status(503),
              cutOnceRead(300_000, bytes, () => tools.statistics.fetched),
              serve(bytes),
            )(visit),
    });
    expect(await measure(url, sha256)).toEqual(known);
    expect(web.seen('/mine.gguf').at(-1)?.headers.range).toBe('bytes=300000-');
  });

  it('downloads a GGUF file from a server that sends no size', async () => {
    web.answer({
      '/mine.gguf': ({ response }) => {
        response.writeHead(200).write(bytes.subarray(0, 100));
        response.end(bytes.subarray(100));
      },
    });
    expect(await measure(url, sha256)).toEqual(known);
  });

  it('resumes the download of a locked GGUF file in the next build', async () => {
    web.answer({
      '/mine.gguf': inTurn(
        cutOnceRead(300_000, bytes, () => tools.statistics.fetched),
        status(404),
      ),
    });
    await refusalOf(obtain(url));
    web.answer({ '/mine.gguf': serve(bytes) });
    tools = await tools.again();
    await obtain(url);
    expect(web.seen('/mine.gguf').at(-1)?.headers.range).toBe('bytes=300000-');
    expect(await stored()).toEqual(bytes);
  });

  it.each([
    ['content with another checksum', wrongBytes(bytes), 'BLOB_DIGEST'],
    ['a login page', html(), 'REGISTRY_PROTOCOL'],
    ['404', status(404), 'HTTP_STATUS'],
  ])('rejects a GGUF file at a URL if the server sends %s', async (_, fault, code) => {
    web.answer({ '/mine.gguf': fault });
    const error = await refusalOf(measure(url, sha256));
    expect(error.code).toBe(code);
    await expect(stored()).rejects.toThrow('ENOENT');
  });

  it('rejects a GGUF file at a URL that changed since it was locked', async () => {
    web.answer({ '/mine.gguf': wrongBytes(bytes) });
    expect((await refusalOf(obtain(url))).code).toBe('BLOB_DIGEST');
  });
});

describe('a GGUF file at a path', () => {
  beforeEach(async () => {
    await mkdir(join(tools.folder, 'weights'));
    await writeFile(join(tools.folder, 'weights/mine.gguf'), bytes);
  });

  it('resolves the path of a GGUF file from the folder of the appliance', async () => {
    expect(await measure('weights/mine.gguf')).toEqual(known);
    expect(await stored()).toEqual(bytes);
  });

  it('copies a GGUF file at a path, so that later changes do not affect the store', async () => {
    await obtain('./weights/mine.gguf');
    await writeFile(join(tools.folder, 'weights/mine.gguf'), 'other');
    expect(await stored()).toEqual(bytes);
    await obtain('./weights/mine.gguf');
  });

  it('rejects a GGUF file at a path that differs from the lock', async () => {
    await writeFile(join(tools.folder, 'weights/mine.gguf'), tinyGguf(6));
    const error = await refusalOf(obtain('weights/mine.gguf'));
    expect(error.code).toBe('BLOB_DIGEST');
    expect(error.message).toContain('does not have the expected SHA-256');
  });

  it('rejects a path without a GGUF file', async () => {
    expect(await refusalOf(measure('weights/none.gguf'))).toMatchObject({
      code: 'FILE_MISSING',
      hint: expect.stringContaining('the model'),
    });
    expect((await refusalOf(measure('weights'))).code).toBe('MODEL_FORMAT');
  });
});

describe('a file to be locked', () => {
  it('parses a GGUF file before it is locked, and rejects one that Ollama cannot run', async () => {
    await writeFile(join(tools.folder, 'mine.gguf'), bytes);
    expect(await tools.models.measure('mine.gguf', undefined, tools.folder)).toEqual(known);
    web.answer({ '/mine.gguf': serve(Buffer.from('no model')) });
    const error = await refusalOf(tools.models.measure(url, undefined, tools.folder));
    expect(error).toMatchObject({ code: 'MODEL_FORMAT', message: 'the file is not a GGUF file' });
  });
});

describe('a locked GGUF file', () => {
  const wanted = { name: 'mine:1b', source: 'mine.gguf', ...known };

  it('becomes a model with its weights in the store', async () => {
    await writeFile(join(tools.folder, 'mine.gguf'), bytes);
    const model = await tools.models.make(wanted, tools.folder);
    expect(model.blobs).toEqual([
      {
        mediaType: 'application/vnd.ollama.image.model',
        digest: `sha256:${sha256}`,
        size: bytes.length,
      },
    ]);
    expect(await stored()).toEqual(bytes);
  });

  it('rejects a locked GGUF file that is not a model', async () => {
    const page = Buffer.from('<!doctype html><title>Please log in</title>');
    await writeFile(join(tools.folder, 'mine.gguf'), page);
    const file = { ...wanted, sha256: sha256Hex(page), size: page.length };
    expect((await refusalOf(tools.models.make(file, tools.folder))).code).toBe('MODEL_FORMAT');
  });
});
