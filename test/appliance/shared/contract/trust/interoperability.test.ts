import { mkdir, open, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { encodeTarHeader, endOfArchive } from '#contract/bundle/tar-header.ts';
import { publicKeyPem } from '#contract/trust/keys.ts';
import { makeBundle, mtime } from '../../../../simulator/bundle.ts';
import { accepts, run } from '../../../../simulator/command.ts';
import { releaseKey, signP1363, strangerKey } from '../../../../simulator/keys.ts';
import { workFolder } from '../../../../simulator/work-folder.ts';

const folder = await workFolder();
const files = [
  { path: 'appliance.yaml', content: Buffer.from('name: landfall\n') },
  { path: 'bin/landfall.mjs', content: Buffer.from('console.log(1);\n'), executable: true },
  { path: 'empty', content: Buffer.alloc(0) },
  { path: 'blobs/sha256/block', content: Buffer.alloc(512, 'x') },
  { path: `${'x'.repeat(49)}/${'y'.repeat(50)}`, content: Buffer.alloc(70_000, 'y') },
];
const head = [
  'release.json',
  'release.json.sig',
  'release.sigstore.json',
  'SHA256SUMS',
  'provenance.sigstore.json',
];
const names = [...head, ...files.map(({ path }) => path)];

/** Writes a file in the work folder and returns its path. */
async function written(name: string, content: Buffer | string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

const bundle = await written('bundle.tar', makeBundle({ files }));
const key = await written('release.pub', publicKeyPem(releaseKey.public));

/** Python program that lists an archive, one member per line. */
const pythonList = `
import sys, tarfile
for m in tarfile.open(sys.argv[1]):
    print(m.name, m.size, oct(m.mode), m.mtime, m.uid, m.gid, m.isreg(), repr(m.linkname + m.uname + m.gname))
`;
const pythonExtract = `
import sys, tarfile
tarfile.open(sys.argv[1]).extractall(sys.argv[2])
`;
const listedByPython = async (path: string) =>
  (await run('python3', ['-c', pythonList, path])).split('\n');

/** Returns the list of GNU tar in the format of the Python program. */
async function listedByTar(path: string): Promise<string[]> {
  const listing = await run('tar', [
    '--list',
    '--verbose',
    '--numeric-owner',
    '--full-time',
    '--file',
    path,
  ]);
  return listing.split('\n').map((line) => {
    const [mode, owner, size, day, time, name] = line.split(/ +/);
    const seconds = Date.parse(`${day}T${time}Z`) / 1000;
    const octal = { '-rw-r--r--': '0o644', '-rwxr-xr-x': '0o755' }[mode ?? ''];
    return [name, size, octal, seconds, ...(owner ?? '').split('/'), 'True', "''"].join(' ');
  });
}

/** Returns the content of every file in a folder, and whether it is executable. */
async function tree(root: string): Promise<Record<string, { content: string; program: boolean }>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const found = entries
    .filter((entry) => entry.isFile())
    .map(async (entry) => {
      const path = join(entry.parentPath, entry.name);
      const program = ((await stat(path)).mode & 0o111) === 0o111;
      const content = (await readFile(path)).toString('base64');
      return [path.slice(root.length + 1), { content, program }] as const;
    });
  return Object.fromEntries(await Promise.all(found));
}

async function extracted(name: string, extract: (target: string) => Promise<unknown>) {
  const target = join(folder, name);
  await mkdir(target);
  await extract(target);
  return target;
}
const byTar = await extracted('by-tar', (target) =>
  run('tar', ['--extract', '--file', bundle, '--directory', target]),
);
const byPython = await extracted('by-python', (target) =>
  run('python3', ['-W', 'ignore', '-c', pythonExtract, bundle, target]),
);

describe('GNU tar and Python', () => {
  it('list the same members with sizes, modes, times and owners', async () => {
    const listed = await listedByPython(bundle);
    expect(await listedByTar(bundle)).toEqual(listed);
    expect(listed.map((line) => line.split(' ')[0])).toEqual(names);
  });

  it('extract the same files with the original content', async () => {
    const unpacked = await tree(byTar);
    expect(await tree(byPython)).toEqual(unpacked);
    expect(Object.keys(unpacked).sort()).toEqual([...names].sort());
    for (const { path, content, executable = false } of files) {
      const expected = { content: content.toString('base64'), program: executable };
      expect(unpacked[path]).toEqual(expected);
    }
  });

  it('support a file larger than 8 GiB, and find the next file', async () => {
    const size = 9 * 1024 ** 3 + 1;
    const path = join(folder, 'large.tar');
    await writeSparse(path, size);
    const listed = await listedByPython(path);
    expect(await listedByTar(path)).toEqual(listed);
    expect(listed.map((line) => line.split(' ').slice(0, 2))).toEqual([
      ['large', `${size}`],
      ['small', '0'],
    ]);
  });
});

/** Writes an archive whose first file is sparse. */
async function writeSparse(path: string, size: number): Promise<void> {
  const entry = { mtime, executable: false };
  const end = 512 + Math.ceil(size / 512) * 512;
  const file = await open(path, 'w');
  try {
    await file.write(encodeTarHeader({ ...entry, name: 'large', size }), 0, 512, 0);
    const small = encodeTarHeader({ ...entry, name: 'small', size: 0 });
    await file.write(Buffer.concat([small, endOfArchive]), 0, 1536, end);
  } finally {
    await file.close();
  }
}

describe('openssl', () => {
  const manifest = join(byTar, 'release.json');
  const signature = join(byTar, 'release.json.sig');
  const verifies = (sig: string, file: string, pem: string) =>
    accepts('openssl', ['dgst', '-sha256', '-verify', pem, '-signature', sig, file]);

  it('verifies release.json with release.json.sig', async () => {
    expect(await verifies(signature, manifest, key)).toBe(true);
  });

  it('rejects a changed manifest, another key and a signature in P1363 form', async () => {
    const bytes = await readFile(manifest);
    const changed = await written('changed.json', Buffer.concat([bytes, Buffer.from('\n')]));
    const other = await written('other.pub', publicKeyPem(strangerKey.public));
    const raw = await written('p1363.sig', signP1363(bytes, releaseKey));
    expect(await verifies(signature, changed, key)).toBe(false);
    expect(await verifies(signature, manifest, other)).toBe(false);
    expect(await verifies(raw, manifest, key)).toBe(false);
  });

  it('computes the ID of a key as the SHA-256 of its DER form', async () => {
    const der = [
      'pkey',
      '-pubin',
      '-in',
      key,
      '-outform',
      'DER',
      '-out',
      join(folder, 'release.der'),
    ];
    await run('openssl', der);
    const printed = await run('openssl', ['dgst', '-sha256', '-r', join(folder, 'release.der')]);
    expect(printed.split(' ')[0]).toBe(releaseKey.public.id);
  });
});

describe('sha256sum', () => {
  const check = ['--check', '--strict', '--quiet', 'SHA256SUMS'];

  it('accepts every file of SHA256SUMS in strict mode', async () => {
    expect(await accepts('sha256sum', check, byTar)).toBe(true);
    const lines = (await readFile(join(byTar, 'SHA256SUMS'), 'utf8')).trimEnd().split('\n');
    expect(lines).toHaveLength(1 + files.length);
  });

  it('rejects a changed file', async () => {
    await writeFile(join(byPython, 'empty'), 'x');
    expect(await accepts('sha256sum', check, byPython)).toBe(false);
  });
});
