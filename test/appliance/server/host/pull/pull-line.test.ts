import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import { isTransient } from '#http/retry.ts';
import { jsonLines } from '../../../../../appliance/server/host/pull/pull-line.ts';
import { ollama } from '../../../../../appliance/server/ollama/ollama-api.ts';
import { rejectionOf } from '../../../../setup/landfall-error.ts';

async function* inPieces(bytes: Uint8Array, cuts: readonly number[]) {
  let from = 0;
  for (const cut of [...cuts].sort((one, other) => one - other)) {
    const to = Math.min(cut, bytes.length);
    if (to > from) yield bytes.subarray(from, to);
    from = Math.max(from, to);
  }
  yield bytes.subarray(from);
}

async function read(text: string | Uint8Array, cuts: readonly number[] = []): Promise<unknown[]> {
  const values: unknown[] = [];
  for await (const value of jsonLines(inPieces(Buffer.from(text as string), cuts), ollama)) {
    values.push(value);
  }
  return values;
}

const failure = (text: string | Uint8Array) => rejectionOf(read(text));

describe('jsonLines', () => {
  it('yields each line, including a last one without a line break', async () => {
    expect(await read('{"status":"a"}\n{"status":"b"}')).toEqual([
      { status: 'a' },
      { status: 'b' },
    ]);
  });

  it('yields nothing for an empty body', async () => {
    expect(await read('')).toEqual([]);
  });

  it('does not depend on chunk boundaries', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue(), { maxLength: 8 }),
        fc.array(fc.nat(400), { maxLength: 12 }),
        async (values, cuts) => {
          const text = values.map((value) => `${JSON.stringify(value)}\n`).join('');
          expect(await read(text, cuts)).toEqual(JSON.parse(JSON.stringify(values)));
        },
      ),
    );
  });

  it('yields values or throws an error with a code for any input', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        const error = await read(bytes).then(
          () => undefined,
          (reason: unknown) => reason,
        );
        if (error !== undefined) expect(error).toBeInstanceOf(LandfallError);
      }),
    );
  });

  it('rejects lines that are empty or not JSON', async () => {
    for (const text of ['<html>\n', '{"a":1}\n\n{"b":2}\n', 'a\n']) {
      const error = await failure(text);
      expect([error.code, isTransient(error)]).toEqual(['MODEL_FAILED', false]);
    }
  });

  it('rejects lines that are not UTF-8', async () => {
    expect((await failure(Buffer.from([0x22, 0xff, 0x22, 0x0a]))).message).toContain('not JSON');
  });

  it('throws a transient error for a truncated last line', async () => {
    expect(isTransient(await failure('{"status":"pulling'))).toBe(true);
  });

  it('limits the memory for an endless line', async () => {
    let sent = 0;
    async function* endless() {
      for (;;) {
        sent += 1;
        yield Buffer.alloc(1 << 15, 'x');
      }
    }
    const reading = async () => {
      for await (const _ of jsonLines(endless(), ollama)) throw new Error('there is no line');
    };
    await expect(reading()).rejects.toThrow('a line that is too long');
    expect(sent).toBeLessThan(5);
  });

  it('rejects a line that is too long', async () => {
    const long = `"${'x'.repeat(70_000)}"\n`;
    expect((await failure(long)).message).toContain('too long');
  });
});
