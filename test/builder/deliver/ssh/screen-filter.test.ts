import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { screenFilter } from '../../../../builder/deliver/ssh/printed.ts';

const filtered = (chunks: readonly Uint8Array[]) =>
  text(Readable.from(chunks).pipe(screenFilter()));
const bytesOf = (text: string) => [...Buffer.from(text)].map((byte) => Buffer.from([byte]));

describe('the screen of a server', () => {
  it('keeps live rows, colours and other scripts, in chunks of any size', async () => {
    const rows = '\u001b[2A\r\u001b[0Jimages  \u001b[32mpulled\u001b[0m 镜像 é\r\n\tdone\n';
    expect(await filtered([Buffer.from(rows)])).toBe(rows);
    expect(await filtered(bytesOf(rows))).toBe(rows);
  });

  it.each([
    ['a title', '\u001b]0;x\u0007'],
    ['the clipboard', '\u001b]52;c;eA==\u001b\\'],
    ['a report of the cursor', '\u001b[6n'],
    ['a device query', '\u001bP+q544e\u001b\\'],
    ['an 8-bit sequence', '\u009b6n'],
    ['text that is reversed', '\u202etxt'],
  ])('sends no control characters of %s', async (_, sequence) => {
    for (const chunks of [[Buffer.from(sequence)], bytesOf(sequence)]) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not reach the terminal.
      expect(await filtered(chunks)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
    }
  });

  it('passes no other sequence on, for any bytes', async () => {
    const piece = fc.constantFrom('\u001b', '[', ']', '1', ';', 'A', 'n', 'm', '\u0007', 'é');
    await fc.assert(
      fc.asyncProperty(fc.array(piece), async (pieces) => {
        const shown = await filtered(pieces.map((each) => Buffer.from(each)));
        // biome-ignore lint/suspicious/noControlCharactersInRegex: the allowed sequences.
        expect(shown.replace(/\u001b\[[\d;]*[AJm]/g, '')).not.toMatch(/[\u001b\u0007]/);
      }),
    );
  });
});
