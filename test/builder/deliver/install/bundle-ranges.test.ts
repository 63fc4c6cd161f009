import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encodeRelease, type ReleaseFile } from '#contract/bundle/release.ts';
import { releasesFolder } from '#contract/server-paths.ts';
import { knownFiles, neededRanges } from '../../../../builder/deliver/install/bundle-ranges.ts';
import { makeRelease, tinyFiles } from '../../../simulator/bundle.ts';
import { localShell } from '../ssh/local-shell.ts';

const mega = 1 << 20;
const file = (digit: string, offset: number, size: number, executable = false): ReleaseFile => ({
  path: digit,
  ...{ offset, size, executable, sha256: digit.repeat(64) },
});
const identity = (digit: string, size: number, executable = false) =>
  `${digit.repeat(64)} ${size} ${executable}`;

describe('the ranges of a bundle that a server needs', () => {
  const files = [
    file('a', 512, 10 * mega),
    file('b', 11 * mega, 1000),
    file('c', 12 * mega, 5 * mega),
    file('d', 40 * mega, mega, true),
  ];

  it('sends the head alone, and all files together to a server without releases', () => {
    expect(neededRanges(4096, files, new Set())).toEqual([
      { from: 0, to: 4096 + 512 },
      { from: 4096 + 512, to: 4096 + 17 * mega },
      { from: 4096 + 40 * mega, to: 4096 + 41 * mega },
    ]);
  });

  it('leaves files out that the server has with the same mode', () => {
    const known = new Set([identity('a', 10 * mega), identity('c', 5 * mega), identity('d', mega)]);
    expect(neededRanges(4096, files, known)).toEqual([
      { from: 0, to: 4096 + 512 },
      { from: 4096 + 11 * mega, to: 4096 + 11 * mega + 1000 },
      { from: 4096 + 40 * mega, to: 4096 + 41 * mega },
    ]);
  });
});

describe('the files that a server has', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'landfall-known-'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  /** Reads the releases in the test folder. */
  const known = () => {
    const shell = localShell();
    const run = (command: string) =>
      shell.run(command.replace(`/${releasesFolder}`, `${root}/${releasesFolder}`));
    return knownFiles({ ...shell, run });
  };
  const put = (name: string, manifest: Uint8Array | string) => {
    mkdirSync(join(root, releasesFolder, name), { recursive: true });
    writeFileSync(join(root, releasesFolder, name, 'release.json'), manifest);
  };

  it('reads the files of complete releases, and ignores damaged and incomplete ones', async () => {
    const release = makeRelease(tinyFiles);
    put('1.2.0-amd64', encodeRelease(release));
    put('1.3.0-amd64.new', encodeRelease(makeRelease([{ path: 'x', content: Buffer.from('x') }])));
    put('1.1.0-amd64', '{}');
    const expected = release.files.map(
      ({ sha256, size, executable }) => `${sha256} ${size} ${executable}`,
    );
    expect([...(await known())].sort()).toEqual(expected.sort());
  });

  it('finds no files on a server without releases', async () => {
    expect(await known()).toEqual(new Set());
  });
});
