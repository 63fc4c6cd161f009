import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { decodeNewerRelease, decodeRelease } from '#contract/bundle/decode-release.ts';
import { encodeRelease, releaseSchema } from '#contract/bundle/release.ts';
import { LandfallError } from '#contract/errors.ts';
import { decodeUtf8 } from '#contract/text/bytes.ts';
import { encodeCanonicalJson } from '#contract/text/json.ts';
import { makeRelease, tinyFiles } from '../../../../simulator/bundle.ts';

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
  refusalOfBytes(Buffer.from(encodeCanonicalJson({ ...release, ...change })));

describe('a release manifest', () => {
  it('keeps a release manifest unchanged through encoding and decoding', () => {
    expect(decodeRelease(encodeRelease(release))).toEqual(release);
  });

  it('encodes the same release to the same bytes, as readers compare them', () => {
    expect(encodeRelease(decodeRelease(encodeRelease(release)))).toEqual(encodeRelease(release));
  });

  it('encodes a release manifest in the field order of the schema', () => {
    const { schema, ...rest } = release;
    expect(encodeRelease(releaseSchema.parse({ ...rest, schema }))).toEqual(encodeRelease(release));
  });

  it('may lack the bootstrap, as in releases before this field', () => {
    const { bootstrap, ...older } = release;
    expect(bootstrap).toHaveLength(5);
    expect(decodeRelease(encodeCanonicalJson(older))).toEqual(older);
    expect(decodeNewerRelease(encodeCanonicalJson(older)).ignored).toEqual([]);
  });

  it('may be any byte array type', () => {
    expect(decodeRelease(new Uint8Array(encodeRelease(release)))).toEqual(release);
  });
});

describe('an invalid release manifest', () => {
  it('rejects an invalid release manifest with all problems and their positions', () => {
    const { problems } = refusalOf({ product: 'Landfall', version: '1', expires: 'never' });
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^product: /),
      'version: must be a version such as 1.2.0',
      expect.stringMatching(/^expires: /),
    ]);
  });

  it('rejects an invalid release manifest with the position of a nested problem', () => {
    const [file] = release.files;
    const { problems } = refusalOf({ files: [{ ...file, path: '../x' }] });
    expect(problems).toEqual([{ message: 'files.0.path: must be a plain relative path' }]);
  });

  it('reports the number of unknown fields in a release manifest, not their names', () => {
    const { problems } = refusalOf({ '\u001b[2J': 1, '\n': 2 });
    expect(problems).toEqual([{ message: '(top level): 2 unknown fields' }]);
  });

  it('rejects an invalid release manifest with twenty problems at most', () => {
    const files = Array.from({ length: 100 }, () => ({}));
    expect(refusalOf({ files }).problems).toHaveLength(20);
  });

  it('quotes nothing of a release manifest that is not JSON: it could have escape sequences', () => {
    const error = refusalOfBytes(Buffer.from('{"a": secret\u001b[2J'));
    expect(error).toMatchObject({ rule: 'canonical-manifest', problems: [] });
    expect(inspect(error)).not.toContain('secret');
  });
});

describe('a release manifest of a later version', () => {
  const [file] = release.files;
  const newer = (change: object) => encodeCanonicalJson({ ...release, ...change });

  it('parses a later release manifest without its unknown fields, and reports them', () => {
    const bytes = newer({ runtime: 'x', files: [{ ...file, mode: 1, owner: {} }] });
    expect(decodeNewerRelease(bytes)).toEqual({
      release: { ...release, files: [file] },
      ignored: ['files.mode', 'files.owner', 'runtime'],
    });
  });

  it('parses a later release manifest with other bootstrap files and their unknown fields', () => {
    const bootstrap = [{ name: 'first.sh', sha256: 'f'.repeat(64) }];
    const bytes = newer({ bootstrap: bootstrap.map((each) => ({ ...each, size: 1 })) });
    expect(decodeNewerRelease(bytes)).toEqual({
      release: { ...release, bootstrap },
      ignored: ['bootstrap.size'],
    });
  });

  it('keeps a later release manifest unchanged if it has no unknown fields', () => {
    expect(decodeNewerRelease(encodeRelease(release))).toEqual({ release, ignored: [] });
  });

  it('rejects a later release manifest with an unknown field in a builder', () => {
    expect(refusalOf({ runtime: 'x' }).problems).toEqual([
      { message: '(top level): 1 unknown fields' },
    ]);
  });

  const refused = (change: object) => {
    try {
      return decodeNewerRelease(newer(change));
    } catch (error) {
      return error;
    }
  };
  const withCritical = (...fields: readonly string[]) => {
    const { keys, images, models, downloads, bootstrap, files, ...first } = release;
    const critical = fields.map((field) => ({ field, since: '3.1.0' }));
    return { ...first, keys, critical, images, models, downloads, bootstrap, files };
  };

  it('rejects an unknown critical field, and reports what to install first', () => {
    const value = { ...withCritical('files.mode'), files: [{ ...file, mode: 1 }] };
    expect(() => decodeNewerRelease(encodeCanonicalJson(value))).toThrow(
      expect.objectContaining({
        rule: 'understood',
        problems: [{ message: 'update to release 3.1.0 first, then to this one' }],
      }),
    );
  });

  it('parses a later release manifest if its critical fields are known or absent', () => {
    const value = withCritical('files.size', 'runtime');
    expect(decodeNewerRelease(encodeCanonicalJson(value)).release).toEqual(value);
  });

  it('rejects a release manifest with another schema, and reports what to install first', () => {
    expect(refused({ schema: 2, updatesFrom: '2.5.0' })).toMatchObject({
      rule: 'understood',
      message: 'release.json has schema 2; this program reads schema 1',
      problems: [{ message: 'update to release 2.5.0 first, then to this one' }],
    });
  });

  it.each([
    ['a known field out of range', { runtime: 'x', version: '1' }],
    ['an unknown field without a plain name', { 'curl | sh': 1 }],
  ])('rejects a later release manifest with %s', (_what, change) => {
    expect(refused(change)).toMatchObject({ rule: 'canonical-manifest' });
  });

  it('rejects a later release manifest that violates a rule across fields', () => {
    const model = { name: 'tiny:1b', role: 'chat', manifest: null, size: null };
    const error = refused({ models: [model, model], runtime: 'x' });
    expect(error).toHaveProperty('problems.0.message', 'models: lists a model twice');
  });

  it('rejects a later release manifest with a deeply nested unknown field', () => {
    const nested = JSON.parse(`${'['.repeat(100)}${']'.repeat(100)}`);
    expect(refused({ runtime: nested })).toMatchObject({ rule: 'canonical-manifest' });
  });

  it('rejects a later release manifest with known fields in another order', () => {
    const { schema, ...rest } = release;
    const bytes = encodeCanonicalJson({ ...rest, schema, runtime: 'x' });
    expect(() => decodeNewerRelease(bytes)).toThrow('not canonical JSON');
  });

  it('rejects a later release manifest with a field called __proto__, or a duplicate field', () => {
    const text = decodeUtf8(newer({ runtime: 'x' }));
    for (const broken of [
      text.replace('{', '{\n  "__proto__": {\n    "kind": "full"\n  },'),
      text.replace('  "arch"', '  "runtime": "y",\n  "arch"'),
    ]) {
      expect(broken).not.toBe(text);
      expect(() => decodeNewerRelease(Buffer.from(broken))).toThrow('release.json is');
    }
  });
});
