import { allErrorCodes } from '#contract/error-codes.ts';
import { errorToJson, LandfallError } from '#contract/errors.ts';
import { formatError } from '#contract/text/error.ts';
import { forEachLanguage, json, sections, type Topic } from '../golden.ts';
import { marked } from '../printed.ts';

const example = new LandfallError('CONFIG_INVALID', 'what failed: the cause', {
  hint: 'Run the fix.',
  problems: [
    { message: 'the first', hint: 'Fix it.', file: 'site.yaml', line: 3, column: 5 },
    { message: 'the second' },
  ],
});

/** Errors: every code with its exit code, the format, and the meaning in Chinese. */
export const errors: Topic = async () =>
  new Map([
    ['codes.json', json(allErrorCodes())],
    ...(await forEachLanguage('formats', () =>
      sections([
        ['plain', formatError(example)],
        ['coloured', formatError(example, { paint: marked })],
        ['narrow', formatError(example, { columns: 24, retry: 'it is retried automatically' })],
        ['bug', formatError('x is undefined')],
      ]),
    )),
    ...(await forEachLanguage('codes', () =>
      sections(
        allErrorCodes().map(({ code }) => [
          code,
          formatError(new LandfallError(code, 'the message', { hint: 'The hint.' })),
        ]),
      ),
    )),
    [
      'error.json',
      sections([
        ['error', json(errorToJson(example))],
        ['bug', json(errorToJson('x'))],
      ]),
    ],
  ]);
