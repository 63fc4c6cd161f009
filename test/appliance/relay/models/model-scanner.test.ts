import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ModelScanner } from '../../../../appliance/relay/models/model-scanner.ts';

/** Scans a text in chunks of a size, in bytes. */
function scan(text: string, size = 7): { model: string | undefined; isDone: boolean } {
  const scanner = new ModelScanner();
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += size) scanner.push(bytes.subarray(at, at + size));
  return { model: scanner.model, isDone: scanner.isDone };
}

describe('the scanner for the model of a request', () => {
  it('finds the model of any JSON object, in chunks of any size', () => {
    const fields = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(
        fields,
        fc.string(),
        fields,
        fc.integer({ min: 1, max: 9 }),
        (before, model, after, size) => {
          const { model: _one, ...first } = before;
          const value = { ...first, model, ...after };
          const text = JSON.stringify({ ...value, model }, null, size % 3);
          expect(scan(text, size).model).toBe(model);
        },
      ),
    );
  });

  it('finds no model in other JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const inner = Array.isArray(value) ? value : { nested: value };
        const text = JSON.stringify(inner);
        if (!/"model"/.test(text)) expect(scan(text).model).toBeUndefined();
      }),
    );
  });

  it.each([
    ['only inside of another object', '{"a":{"model":"x"},"b":[{"model":"y"}]}', undefined],
    ['with an escaped name', '{"mod\\u0065l":"x"}', 'x'],
    ['with escapes in the value', '{"model":"a\\u0062\\"c"}', 'ab"c'],
    ['twice, of which the first counts', '{"model":"x","model":"y"}', 'x'],
    ['as the value of another field', '{"a":"model","b":"x"}', undefined],
    ['as a number', '{"model":7,"b":"x"}', undefined],
    ['as a list', '{"model":["x"],"b":"y"}', undefined],
    ['of 10 kB', `{"model":"${'x'.repeat(10_000)}"}`, undefined],
    ['in a truncated body', '{"model":"x', undefined],
    [
      'after a prompt of 10 kB',
      `{"prompt":"${'é"'.repeat(5000).replaceAll('"', '\\"')}","model":"x"}`,
      'x',
    ],
    ['in a body that is not JSON', 'model=x', undefined],
    ['in a list', '[{"model":"x"}]', undefined],
  ])('reads a model %s', (_what, text, model) => {
    expect(scan(text).model).toBe(model);
  });

  it.each(['{"model":"x"', '{}', '[', 'x', '{"a":{}}'])(
    'finishes as early as possible: %s',
    (text) => {
      expect(scan(text).isDone).toBe(true);
    },
  );
});
