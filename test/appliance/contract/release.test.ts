import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { encodeCanonicalJson } from '#contract/canonical-json.ts';
import { LandfallError } from '#contract/errors.ts';
import { decodeRelease, encodeRelease, releaseSchema } from '#contract/release.ts';
import { makeRelease, tinyFiles } from '../../simulator/bundle.ts';

const release = makeRelease(tinyFiles);

/** The refusal of these bytes. */
function refusalOfBytes(bytes: Buffer): LandfallError {
  try {
    decodeRelease(bytes);
  } catch (error) {
    if (error instanceof LandfallError) return error;
    throw error;
  }
  throw new Error('the manifest was accepted');
}

/** The refusal of a manifest with these changes. */
const refusalOf = (change: object) =>
  refusalOfBytes(encodeCanonicalJson({ ...release, ...change }));

describe('a release manifest', () => {
  it('comes back as it was written', () => {
    expect(decodeRelease(encodeRelease(release))).toEqual(release);
  });

  it('has the same bytes for the same release, as readers compare them', () => {
    expect(encodeRelease(decodeRelease(encodeRelease(release)))).toEqual(encodeRelease(release));
  });

  it('has the order of fields that the schema gives a builder', () => {
    const { schema, ...rest } = release;
    expect(encodeRelease(releaseSchema.parse({ ...rest, schema }))).toEqual(encodeRelease(release));
  });

  it('may arrive in any kind of byte array', () => {
    expect(decodeRelease(new Uint8Array(encodeRelease(release)))).toEqual(release);
  });
});

describe('a wrong release manifest', () => {
  it('is refused with every problem at once, each with its place', () => {
    const { problems } = refusalOf({ product: 'Landfall', version: '1', expires: 'never' });
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^product: /),
      'version: must be a version such as 1.2.0',
      expect.stringMatching(/^expires: /),
    ]);
  });

  it('is refused with the place of a problem deep inside', () => {
    const [file] = release.files;
    const { problems } = refusalOf({ files: [{ ...file, path: '../x' }] });
    expect(problems).toEqual([{ message: 'files.0.path: must be a plain relative path' }]);
  });

  it('has its unknown fields counted, not shown', () => {
    const { problems } = refusalOf({ '\u001b[2J': 1, '\n': 2 });
    expect(problems).toEqual([{ message: '(top level): 2 unknown fields' }]);
  });

  it('is refused with twenty problems at most', () => {
    const files = Array.from({ length: 100 }, () => ({}));
    expect(refusalOf({ files }).problems).toHaveLength(20);
  });

  it('is not quoted when it is no JSON: it may be meant for the terminal', () => {
    const error = refusalOfBytes(Buffer.from('{"a": secret\u001b[2J'));
    expect(error).toMatchObject({ rule: 'canonical-manifest', problems: [] });
    expect(inspect(error)).not.toContain('secret');
  });
});
