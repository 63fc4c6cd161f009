import { describe, expect, it } from 'vitest';
import type { LandfallError, Problem } from '#contract/errors.ts';
import { parseYamlText } from '#yaml/parse.ts';

function problemsOf(text: string, options = {}): readonly Problem[] {
  try {
    parseYamlText(text, 'site.yaml', options);
  } catch (error) {
    return (error as LandfallError).problems;
  }
  throw new Error('the text was accepted');
}

describe('a typing mistake in YAML', () => {
  it.each([
    [
      'a full-width colon',
      'admin:\n  user：ops\n  email: a@b.c\n',
      2,
      'full-width colon',
      '  user: ops',
    ],
    [
      'the same as the only line',
      'hosts:\n  ui：c.e.org\n',
      2,
      'full-width colon',
      '  ui: c.e.org',
    ],
    [
      'no space after a colon',
      'admin:\n  user:ops\n  email: a@b.c\n',
      2,
      'space is missing',
      '  user: ops',
    ],
    [
      'a no-break space after a colon',
      'admin:\n  user:\u00a0ops\n  email: a@b.c\n',
      2,
      'no-break space (U+00A0)',
      '  user: ops',
    ],
    [
      'a no-break space in the indentation',
      'admin:\n\u00a0\u00a0user: ops\n  email: a@b.c\n',
      2,
      'no-break space',
      '  user: ops',
    ],
    [
      'an ideographic space',
      'admin:\n  user:\u3000ops\n  email: a@b.c\n',
      2,
      'U+3000',
      '  user: ops',
    ],
    ['a no-break space at the end', 'email: a@b.c\u00a0\n', 1, 'no-break space', 'email: a@b.c'],
    ['curly quotes', 'admin:\n  email: “a@b.c”\n', 2, 'curly quotes', '  email: "a@b.c"'],
    ['a tab', 'admin:\n\tuser: ops\n\temail: a@b.c\n', 2, 'contains a tab', '  user: ops'],
  ])(
    'names a typing mistake with its cause and the line to write: %s',
    (_what, text, line, message, corrected) => {
      const [problem] = problemsOf(text);
      expect(problem).toMatchObject({
        line,
        message: expect.stringContaining(message),
        hint: 'Write this line instead:',
        corrected,
      });
    },
  );

  it('reports a typing mistake once per line, without errors that follow from it', () => {
    const problems = problemsOf('admin:\n\tuser: ops\nhosts: {}\n');
    expect(problems.map(({ line }) => line)).toEqual([2]);
  });

  it('does not repeat a line that may contain a secret', () => {
    const [problem] = problemsOf('a:\n  api_key：sk-hunter2hunter2\n  b: 1\n');
    expect(JSON.stringify(problem)).not.toContain('hunter2');
    const [other] = problemsOf('a:\n  b：secret\n  c: 1\n', { asText: true });
    expect(JSON.stringify(other)).not.toContain('secret');
  });

  it.each([
    'ca: |\n  key：value\n  x:y\n',
    '# user：ops\na: 1\n',
    'text: "user：ops"\n',
    'models: [qwen3:8b]\nimage: nginx:1.30\n',
    'name: 香港：一号\n',
  ])('finds no typing mistake in %j', (text) => {
    expect(parseYamlText(text, 'site.yaml').value).toBeTypeOf('object');
  });
});
