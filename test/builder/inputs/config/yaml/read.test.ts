import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import { maxYamlBytes } from '#yaml/parse.ts';
import { readYaml } from '../../../../../builder/inputs/config/yaml/read.ts';
import { rejectionOf } from '../../../../setup/landfall-error.ts';
import { fuzzRuns } from '../../../../simulator/fuzz.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-yaml-'));
  path = join(folder, 'file.yaml');
});
afterEach(() => rm(folder, { recursive: true }));

async function read(content: string | Uint8Array) {
  await writeFile(path, content);
  return readYaml(path);
}

const failure = (content: string | Uint8Array) => rejectionOf(read(content));

describe('a YAML file', () => {
  it('parses a YAML file into a plain value', async () => {
    expect((await read('a: [1, two]\nb: { c: true }\n')).value).toEqual({
      a: [1, 'two'],
      b: { c: true },
    });
  });

  it('returns null for an empty YAML file', async () => {
    expect((await read('')).value).toBeNull();
    expect((await read('# only a comment\n')).value).toBeNull();
  });

  it('may use anchors and merges', async () => {
    const { value } = await read('x: &x { a: 1 }\ny:\n  <<: *x\n  b: 2\n');
    expect(value).toMatchObject({ y: { a: 1, b: 2 } });
  });

  it('keeps dates and octals as written', async () => {
    expect((await read('a: 2026-11-21T00:00:00Z\nb: 0755\n')).value).toEqual({
      a: '2026-11-21T00:00:00Z',
      b: 755,
    });
  });
});

describe('a position in a YAML file', () => {
  const text = 'name: x\ncomponents:\n  ui:\n    image: a\n    imgae: b\nlist:\n  - one\n  - two\n';

  it.each([
    [['name'], 1, 7],
    [['components', 'ui', 'image'], 4, 12],
    [['list', 1], 8, 5],
  ])('locates the value at %j in a YAML file', async (at, line, column) => {
    expect((await read(text)).locate(at)).toEqual({ line, column });
  });

  it('locates a key of a YAML file at the start of the key', async () => {
    const file = await read(text);
    expect(file.locateKey(['components', 'ui', 'imgae'])).toEqual({ line: 5, column: 5 });
  });

  it('locates a missing value of a YAML file at its mapping', async () => {
    const file = await read(text);
    expect(file.locate(['components', 'ui', 'optional']).line).toBe(3);
    expect(file.locate(['nothing', 'at', 'all'])).toEqual({ line: 1, column: 1 });
  });
});

describe('an invalid YAML file', () => {
  it('rejects a YAML file with a duplicate key, and reports its position', async () => {
    const error = await failure('a: 1\nb: 2\na: 3\n');
    expect(error.code).toBe('CONFIG_SYNTAX');
    expect(error.problems).toEqual([
      expect.objectContaining({ line: 3, column: 1, message: 'duplicate key a' }),
    ]);
  });

  it('rejects a YAML file with a tab in the indentation', async () => {
    const error = await failure('a:\n\tb: 1\n');
    expect(error.problems[0]).toMatchObject({ line: 2, corrected: '  b: 1' });
  });

  it('reports all syntax errors at once', async () => {
    const error = await failure('a: 1\na: 2\nb: 1\nb: 2\n');
    expect(error.problems.map(({ line }) => line)).toEqual([2, 4]);
  });

  it('rejects a YAML file with a byte order mark', async () => {
    expect(await failure('\ufeffa: 1\n')).toMatchObject({
      code: 'CONFIG_ENCODING',
      hint: expect.stringContaining('BOM'),
    });
  });

  it.each([
    ['UTF-16', Buffer.from('a: 1\n', 'utf16le')],
    ['GBK', Buffer.from([0x61, 0x3a, 0x20, 0xc4, 0xe3, 0x0a])],
  ])('rejects a YAML file in the encoding %s', async (_name, bytes) => {
    const error = await failure(bytes);
    expect(['CONFIG_ENCODING', 'CONFIG_SYNTAX']).toContain(error.code);
  });

  it('rejects a YAML file with an alias bomb quickly', async () => {
    const levels = Array.from(
      { length: 9 },
      (_, i) => `l${i}: &l${i} [${Array(9).fill(i === 0 ? 'x' : `*l${i - 1}`)}]`,
    );
    expect((await failure(`${levels.join('\n')}\n`)).code).toBe('CONFIG_SYNTAX');
  });

  it('rejects a YAML file with a recursive alias', async () => {
    const error = await failure('a: &a\n  b: *a\n');
    expect(error).toMatchObject({
      code: 'CONFIG_SYNTAX',
      problems: [{ line: 2, column: 6, message: 'the alias *a contains itself' }],
    });
  });

  it.each(['? ', '[', '{a: ', '- '])(
    'rejects endless nesting by "%s", which would block the parser for minutes',
    async (level) => {
      expect((await failure(level.repeat(10_000))).problems).toEqual([
        expect.objectContaining({ line: 1, message: expect.stringContaining('levels deep') }),
      ]);
    },
  );

  it('reports the first twenty broken lines and the number of others', async () => {
    const error = await failure('\ta: 1\n'.repeat(1000));
    expect(error.problems).toHaveLength(20);
    expect(error.hint).toContain('980 more lines');
  });

  it('quotes nothing of an invalid YAML file in errors, because it may contain a secret', async () => {
    const error = await failure('a: b\n}hunter2\nb: @hunter2\n"hunter2": "x\n');
    expect(error.problems.length).toBeGreaterThan(1);
    expect(JSON.stringify([error.message, error.problems])).not.toContain('hunter2');
  });

  it('rejects a folder as a YAML file', async () => {
    await expect(readYaml(folder)).rejects.toMatchObject({ code: 'FILE_ACCESS' });
  });

  it('rejects a YAML file with a second document', async () => {
    const error = await failure('a: 1\n---\nb: 2\n');
    expect(error.problems[0]?.message).toContain('second document');
  });

  it('rejects a YAML file with a tag', async () => {
    expect((await failure('a: !!js/function "x"\n')).code).toBe('CONFIG_SYNTAX');
  });

  it('rejects a YAML file that is too large', async () => {
    expect((await failure('#'.repeat(maxYamlBytes + 1))).code).toBe('CONFIG_TOO_LARGE');
  });

  it('names a missing YAML file in the error', async () => {
    for (const name of ['none.yaml', join('file.yaml', 'below-a-file.yaml')]) {
      await writeFile(path, 'a: 1\n');
      await expect(readYaml(join(folder, name))).rejects.toMatchObject({
        code: 'CONFIG_MISSING',
        hint: expect.stringContaining('landfall init'),
      });
    }
  });

  it('parses or rejects a YAML file for arbitrary input', async () => {
    const yamlish = fc.array(
      fc.constantFrom(
        'a',
        ':',
        ' ',
        '\n',
        '-',
        '[',
        ']',
        '{',
        '}',
        '&x',
        '*x',
        '"',
        "'",
        '|',
        '>',
        '#',
        '!',
        '%',
        '\t',
        '?',
        ',',
        '<<',
      ),
      { maxLength: 60 },
    );
    await fc.assert(
      fc.asyncProperty(yamlish, async (tokens) => {
        const file = await read(tokens.join('')).catch((error: unknown) => {
          expect(error).toBeInstanceOf(LandfallError);
          return undefined;
        });
        const place = file?.locate(['a', 0, 'b']);
        if (place) expect(place.line).toBeGreaterThanOrEqual(1);
      }),
      { numRuns: fuzzRuns(300) },
    );
  });
});
