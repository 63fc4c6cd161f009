import fc from 'fast-check';
import { pathPattern } from '#contract/bundle/bundle-paths.ts';
import type { SimulatedFile } from './bundle.ts';

/** Plain relative paths: short, long and unusual ones. */
export const path: fc.Arbitrary<string> = fc
  .array(fc.stringMatching(/^[A-Za-z0-9._@+][A-Za-z0-9._@+-]{0,30}$/), {
    minLength: 1,
    maxLength: 8,
  })
  .map((names) => names.join('/').slice(0, 100))
  .filter((text) => pathPattern.test(text));

/** Files without conflicts: each in a separate folder. */
export const files: fc.Arbitrary<SimulatedFile[]> = fc
  .array(
    fc.record({
      name: fc.stringMatching(/^[A-Za-z0-9._@+][A-Za-z0-9._@+-]{0,20}$/),
      content: fc.uint8Array({ maxLength: 2000 }),
      executable: fc.boolean(),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((drafts) =>
    drafts.map(({ name, content, executable }, index) => ({
      path: `${index}/${name === '.' || name === '..' ? 'dots' : name}`,
      content: Buffer.from(content),
      executable,
    })),
  );

/** Versions whose order is that of their numbers. */
export const version: fc.Arbitrary<string> = fc
  .tuple(fc.nat(999_999_999), fc.nat(999_999_999), fc.nat(999_999_999))
  .map((numbers) => numbers.join('.'));

/** The same bytes in chunks of any size, including empty ones. */
export function chunksOf(bytes: Buffer): fc.Arbitrary<Buffer[]> {
  return fc
    .array(fc.nat(bytes.length), { maxLength: 40 })
    .map((cuts) => [0, ...cuts.toSorted((a, b) => a - b), bytes.length])
    .map((cuts) => cuts.slice(1).map((cut, index) => bytes.subarray(cuts[index], cut)));
}
