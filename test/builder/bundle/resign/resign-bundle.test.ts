import { createReadStream } from 'node:fs';
import {
  appendFile,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ByteReader } from '#contract/bundle/byte-reader.ts';
import { decodeRelease } from '#contract/bundle/decode-release.ts';
import { sizeAfterHead } from '#contract/bundle/layout.ts';
import { readHead } from '#contract/bundle/read-head.ts';
import { verifyBundle } from '#contract/bundle/verify.ts';
import { provenancePayload } from '#contract/trust/provenance.ts';
import { silentReporter } from '../../../../builder/base/progress/reporter.ts';
import { resignBundle } from '../../../../builder/bundle/resign/resign-bundle.ts';
import type { SigningKey } from '../../../../builder/bundle/sign/private-key.ts';
import { type Knobs, makeBundle } from '../../../simulator/bundle.ts';
import { headOf } from '../../../simulator/head-of.ts';
import { releaseKey, secondKey, strangerKey } from '../../../simulator/keys.ts';
import { testKey } from '../archive/fixture.ts';

const recovery: SigningKey = testKey();

/** A release that announces a new release key, signed by a key that servers do not trust yet. */
function announcing(): Buffer {
  return makeBundle({
    signer: secondKey,
    release: (release) => ({
      ...release,
      keys: { release: [secondKey.public.spki], recovery: recovery.public.spki },
    }),
  });
}

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-resign-'));
  path = join(folder, 'bundle.tar');
  await writeFile(path, announcing(), { mode: 0o640 });
});
afterEach(() => rm(folder, { recursive: true }));

const sign = (key = recovery) => resignBundle(path, key, silentReporter);
/** The keys of a server with the previous release. */
const server = { release: [releaseKey.public], recovery: recovery.public };

describe('a bundle that is signed by the recovery key', () => {
  it('re-signs a bundle for servers that trust only the old release key and the recovery key', async () => {
    const verify = () => verifyBundle(createReadStream(path), { keys: server });
    await expect(verify()).rejects.toMatchObject({ code: 'BUNDLE_UNTRUSTED' });
    const { before } = await sign();
    expect(before.key.id).toBe(secondKey.public.id);
    expect((await verify()).signer).toMatchObject({ role: 'recovery' });
  });

  it('keeps the manifest, the checksums, the provenance statement and all files', async () => {
    const [old, before] = [await readFile(path), headOf(await readFile(path))];
    await sign();
    const [now, after] = [await readFile(path), headOf(await readFile(path))];
    expect([...after.keys()]).toEqual([...before.keys()]);
    for (const member of ['release.json', 'SHA256SUMS'])
      expect(after.get(member)).toEqual(before.get(member));
    const statements = [before, after].map((head) =>
      provenancePayload(head.get('provenance.sigstore.json') ?? Buffer.alloc(0)),
    );
    expect(statements[1]).toEqual(statements[0]);
    for (const member of ['release.json.sig', 'release.sigstore.json', 'provenance.sigstore.json'])
      expect(after.get(member)).not.toEqual(before.get(member));
    const rest = sizeAfterHead(decodeRelease(before.get('release.json') ?? Buffer.alloc(0)).files);
    expect(now.subarray(-rest).equals(old.subarray(-rest))).toBe(true);
    expect((now.length - rest) % 512).toBe(0);
  });

  it('keeps its mode, and is the only file in its folder', async () => {
    await sign();
    expect((await stat(path)).mode & 0o777).toBe(0o640);
    expect(await readdir(folder)).toEqual(['bundle.tar']);
  });

  it('adds no provenance to a re-signed bundle that had none', async () => {
    const arrange: Knobs['arrange'] = (head, files) => [...head.slice(0, -1), ...files];
    await writeFile(path, makeBundle({ arrange }));
    await sign(testKey());
    const { members } = await readHead(new ByteReader(createReadStream(path)));
    expect([...members.keys()]).not.toContain('provenance.sigstore.json');
    expect(members.size).toBe(4);
  });

  it('re-signs the target of a given link', async () => {
    const link = join(folder, 'link.tar');
    await symlink(path, link);
    await resignBundle(link, recovery, silentReporter);
    expect((await stat(path)).isFile()).toBe(true);
    expect((await sign()).before.key.id).toBe(recovery.public.id);
  });
});

describe('a bundle that is not signed', () => {
  it.each([
    ['truncated', () => truncate(path, 9000), 'BUNDLE_TRUNCATED'],
    ['appended to', () => appendFile(path, 'x'), 'BUNDLE_TRAILING'],
    [
      'of an unknown key',
      () => writeFile(path, makeBundle({ signer: strangerKey })),
      'BUNDLE_UNTRUSTED',
    ],
  ])('stays if it is %s', async (_what, change, code) => {
    await change();
    const before = await readFile(path);
    await expect(sign()).rejects.toMatchObject({ code });
    expect((await readFile(path)).equals(before)).toBe(true);
    expect(await readdir(folder)).toEqual(['bundle.tar']);
  });

  it('stays if a file in it is damaged', async () => {
    const bytes = await readFile(path);
    const at = bytes.length - 2048;
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
    await writeFile(path, bytes);
    await expect(sign()).rejects.toMatchObject({ code: expect.stringMatching(/^BUNDLE_/) });
    expect((await readFile(path)).equals(bytes)).toBe(true);
  });

  it('refuses to re-sign a part of a bundle, a folder or a missing file', async () => {
    const part = join(folder, 'bundle.tar.000');
    await expect(resignBundle(part, recovery, silentReporter)).rejects.toMatchObject({
      code: 'USAGE',
      hint: expect.stringContaining('cat '),
    });
    await expect(resignBundle(folder, recovery, silentReporter)).rejects.toMatchObject({
      code: 'FILE_ACCESS',
    });
    const missing = join(folder, 'missing.tar');
    await expect(resignBundle(missing, recovery, silentReporter)).rejects.toMatchObject({
      code: 'FILE_MISSING',
    });
  });
});
