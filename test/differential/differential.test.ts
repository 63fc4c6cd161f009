import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { sha256 } from '../simulator/bundle.ts';
import { fuzzRuns } from '../simulator/fuzz.ts';
import { workFolder } from '../simulator/work-folder.ts';
import { BootstrapProcess } from './bootstrap-process.ts';
import { differenceOf } from './compare.ts';
import { Draft } from './draft.ts';
import { isPinnable } from './pinnable.ts';
import { regressions } from './regressions.ts';
import { formatDifference, runInputs } from './run-inputs.ts';
import { verifierJudges } from './verifier.ts';

/** Both programs verify thousands of bundles, which is slow on a busy machine. */
vi.setConfig({ testTimeout: 600_000 });

const folder = await workFolder();
let bootstrap: BootstrapProcess;
beforeAll(async () => {
  bootstrap = new BootstrapProcess(await mkdtemp(join(folder, 'root-')));
});
afterAll(() => bootstrap.close());

describe('the verifier and the bootstrap', () => {
  it('agree on thousands of bundles, except for the differences in decision 25', async () => {
    const inputs = fuzzRuns(2000);
    const { differences, tally } = await runInputs(bootstrap, { seed: 1, inputs });
    expect(differences.map(formatDifference)).toEqual([]);
    // Inputs that are all valid or all invalid would prove nothing.
    expect(tally.get('both accept')).toBeGreaterThan(inputs / 10);
    expect(tally.get('both reject')).toBeGreaterThan(inputs / 3);
  });

  it.each(regressions)('agree on a past difference: $name', async ({ draft, accepted }) => {
    const { bundle, manifest } = draft().make();
    const pin = sha256(manifest);
    const verifier = await verifierJudges(bundle, pin);
    expect(verifier).toMatchObject({ accepted });
    expect(differenceOf(manifest, verifier, await bootstrap.judge(bundle, pin))).toBeUndefined();
  });
});

describe('the comparison', () => {
  const { manifest } = new Draft().make();
  const node = 'runtime/node.tgz 00 0o100644';
  const accepted = { accepted: true, files: [node] } as const;
  const rejected = { accepted: false, why: 'no' } as const;

  it('starts with a manifest that the builder would pin', () => {
    expect(isPinnable(manifest)).toBe(true);
    expect(isPinnable(Buffer.from('{}\n'))).toBe(false);
  });

  it.each([
    ['the verifier accepts alone', accepted, rejected],
    ['only the bootstrap accepts', { ...rejected, rule: 'one-time' as const }, accepted],
    ['they pass on different files', accepted, { accepted: true, files: [`${node}1`] } as const],
  ])('finds a difference if %s', (_, verifier, other) => {
    expect(differenceOf(manifest, verifier, other)).toBeDefined();
  });

  it.each([
    ['both accept', manifest, accepted, accepted],
    ['both reject', manifest, rejected, rejected],
    ['evidence is verified', manifest, { ...rejected, rule: 'checksums' as const }, accepted],
    ['no builder would pin it', Buffer.from('{}\n'), rejected, accepted],
    ['there is no Node to unpack', manifest, { accepted: true, files: [] } as const, rejected],
  ])('finds no difference if %s', (_, signed, verifier, other) => {
    expect(differenceOf(signed, verifier, other)).toBeUndefined();
  });
});
