import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import { formatError } from '#contract/text/error.ts';
import { renderMihomo } from '#proxies/clash/write.ts';
import { readProxies } from '#proxies/read-proxies.ts';
import { renderSingBox } from '#proxies/sing-box/write.ts';
import { fuzzRuns } from '../../../simulator/fuzz.ts';
import { brokenLinks, secret, validLinks } from './link-shapes.ts';

const links = Object.values(validLinks).flatMap((list) => list.map(([, link]) => link));
const list = links.slice(0, 20).join('\n');
const base64 = Buffer.from(list).toString('base64');

describe('a list of links in base64 is imported', () => {
  it.each([
    ['as it is', base64],
    ['without padding', base64.replace(/=+$/, '')],
    ['url-safe', Buffer.from(list).toString('base64url')],
    ['in lines of 76 characters', base64.replace(/.{76}/g, '$&\r\n')],
    ['with a final line break', `${base64}\n`],
    ['with a byte order mark', `\ufeff${base64}`],
    [
      'of a list with Windows line breaks',
      Buffer.from(list.replaceAll('\n', '\r\n')).toString('base64'),
    ],
  ])('%s', (_what, text) => {
    const { format, settings } = readProxies(Buffer.from(text), { file: 'x' });
    expect(format).toBe('base64');
    expect(settings.proxies).toHaveLength(20);
  });

  it('rejects a list of links in base64 with the line of the decoded list', () => {
    const text = Buffer.from(`${links[0]}\nssr://x`).toString('base64');
    expect(() => readProxies(Buffer.from(text), { file: 'x', strict: true })).toThrow(
      'x (decoded): 1 problem',
    );
  });
});

/** Returns the error of an import, or undefined. Fails for other errors than those of the project. */
function errorOf(bytes: Uint8Array, skip: boolean): LandfallError | undefined {
  try {
    readProxies(bytes, { file: 'x', strict: !skip });
    return undefined;
  } catch (error) {
    if (error instanceof LandfallError) return error;
    throw error;
  }
}

describe('any input', () => {
  const { settings } = readProxies(Buffer.from(links.join('\n')), { file: 'x' });
  const seeds = [
    ...links,
    ...brokenLinks.map(([, link]) => link),
    base64,
    renderMihomo(settings).slice(0, 6000),
    renderSingBox(settings).slice(0, 6000),
  ].filter((text) => text.length < 10_000);
  const part = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 4 }),
    fc.constantFrom(':', '@', '#', '?', '&', '%', '[', ']', '{', '}', '\n', '- ', '*a', '\t', ','),
  );

  const glued = new RegExp(`[^=:/@"'\\s]${secret}`);

  it('imports any input, or rejects it with a project error that contains no password', () => {
    const changes = fc.array(fc.tuple(fc.nat(), fc.nat(8), part), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.constantFrom(...seeds), changes, fc.boolean(), (seed, edits, skip) => {
        let text = seed;
        for (const [at, length, inserted] of edits) {
          // The password stays whole, so that a message that contains it is found.
          const start = at % (text.length + 1);
          const cut = text.slice(start, start + length).includes(secret.slice(0, 3)) ? 0 : length;
          text = text.slice(0, start) + inserted + text.slice(start + cut);
        }
        const error = errorOf(Buffer.from(text), skip);
        // Problems name unknown keys: without its `=`, a password becomes the end of one.
        if (glued.test(text)) return;
        if (error) expect(formatError(error)).not.toContain(secret);
      }),
      { numRuns: fuzzRuns(3000) },
    );
  });

  it('rejects any random bytes with an error of the project', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(errorOf(bytes, true)).toBeInstanceOf(LandfallError);
      }),
      { numRuns: fuzzRuns(1000) },
    );
  });
});
