import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verifyBundle } from '#contract/bundle/verify.ts';
import { chunksOf, files, version } from '../../../../simulator/arbitrary.ts';
import { makeBundle } from '../../../../simulator/bundle.ts';
import { fuzzRuns } from '../../../../simulator/fuzz.ts';
import { hostileBundles } from '../../../../simulator/hostile-bundles.ts';
import { judge, serverPolicy } from '../../../../simulator/verdict.ts';

/** Bundles that went wrong in every way there is, small enough to be cut into pieces many times. */
const samples = hostileBundles
  .map(({ bundle, policy }) => ({ bundle: bundle(), policy }))
  .filter(({ bundle }) => bundle.length < 100_000);

describe('any valid release', () => {
  it('accepts any valid release with unchanged files', async () => {
    await fc.assert(
      fc.asyncProperty(files, version, async (content, newer) => {
        const bundle = makeBundle({
          files: content,
          release: (release) => ({ ...release, version: newer, updatesFrom: null }),
        });
        const received = new Map<string, Buffer>();
        const policy = { ...serverPolicy, installed: '0.0.0' };
        await verifyBundle(pieces([bundle]), policy, async ({ path }, chunks) => {
          const parts: Uint8Array[] = [];
          for await (const chunk of chunks) parts.push(chunk);
          received.set(path, Buffer.concat(parts));
        });
        expect([...received]).toEqual(content.map((file) => [file.path, file.content]));
      }),
      { numRuns: fuzzRuns(60) },
    );
  }, 300_000);

  it('rejects any valid release with any byte changed', async () => {
    await fc.assert(
      fc.asyncProperty(
        files,
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        async (content, at, xor) => {
          const bundle = makeBundle({ files: content });
          const place = at % bundle.length;
          bundle.writeUInt8(bundle.readUInt8(place) ^ xor, place);
          expect((await judge(bundle)).accepted).toBe(false);
        },
      ),
      { numRuns: fuzzRuns(150) },
    );
  }, 300_000);
});

describe('the chunks of a bundle', () => {
  it('do not affect the verdict', async () => {
    const cases = fc
      .constantFrom({ bundle: makeBundle(), policy: undefined }, ...samples)
      .chain(({ bundle, policy }) =>
        fc.record({
          whole: fc.constant(bundle),
          policy: fc.constant(policy),
          chunks: chunksOf(bundle),
        }),
      );
    await fc.assert(
      fc.asyncProperty(cases, async ({ whole, policy, chunks }) => {
        expect(await judge(pieces(chunks), policy)).toEqual(await judge(whole, policy));
      }),
      { numRuns: fuzzRuns(300) },
    );
  }, 300_000);
});

describe('random bytes', () => {
  const soup = fc.uint8Array({ maxLength: 4000 }).map((bytes) => Buffer.from(bytes));

  // `judge` lets everything through that is not an error of ours, which fails the test.
  it('rejects random bytes as a bundle without a crash', async () => {
    await fc.assert(
      fc.asyncProperty(soup, async (bytes) => {
        expect((await judge(bytes)).accepted).toBe(false);
      }),
      { numRuns: fuzzRuns(300) },
    );
  }, 300_000);

  it.each([
    'release.json',
    'release.json.sig',
    'release.sigstore.json',
    'SHA256SUMS',
    'provenance.sigstore.json',
  ])(
    'rejects random bytes instead of %s',
    async (name) => {
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 72 }), async (bytes) => {
          const bundle = makeBundle({
            arrange: (head, rest) =>
              [...head, ...rest].map((member) =>
                member.name === name ? { ...member, content: Buffer.from(bytes) } : member,
              ),
          });
          expect((await judge(bundle)).accepted).toBe(false);
        }),
        { numRuns: fuzzRuns(40) },
      );
    },
    300_000,
  );

  it('rejects random bytes even if a trusted key signed them', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          soup,
          fc.json().map((text) => Buffer.from(text)),
        ),
        async (bytes) => {
          const verdict = await judge(makeBundle({ manifest: () => bytes }));
          expect(verdict).toMatchObject({ accepted: false, code: 'BUNDLE_MANIFEST' });
        },
      ),
      { numRuns: fuzzRuns(100) },
    );
  }, 300_000);
});

async function* pieces(chunks: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* chunks;
}
