import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import { silentReporter } from '../../builder/base/progress/reporter.ts';
import { openBundle } from '../../builder/bundle/archive/open-bundle.ts';
import { sha256 } from '../simulator/bundle.ts';
import { fuzzRuns } from '../simulator/fuzz.ts';
import { splitInto } from '../simulator/split-into.ts';
import { workFolder } from '../simulator/work-folder.ts';
import { BootstrapProcess } from './bootstrap-process.ts';
import { Draft } from './draft.ts';
import { type PartInput, partInputAt } from './part-inputs.ts';
import type { Verdict } from './verdict.ts';
import { verifierJudges } from './verifier.ts';

/** Both programs verify hundreds of bundles, which is slow on a busy machine. */
vi.setConfig({ testTimeout: 300_000 });

const folder = await workFolder();
let bootstrap: BootstrapProcess;
beforeAll(async () => {
  bootstrap = new BootstrapProcess(await mkdtemp(join(folder, 'root-')));
});
afterAll(() => bootstrap.close());

/** Verifies the parts as `landfall verify` does. */
async function verify(parts: readonly Buffer[], pin: string): Promise<Verdict> {
  const dist = join(folder, 'dist');
  await rm(dist, { recursive: true, force: true });
  await mkdir(dist);
  const path = join(dist, 'bundle.tar');
  for (const [index, part] of parts.entries())
    await writeFile(`${path}.${String(index).padStart(3, '0')}`, part);
  try {
    const bundle = await openBundle(path, silentReporter);
    try {
      return await verifierJudges(bundle.content, pin);
    } finally {
      await bundle.close();
    }
  } catch (error) {
    if (!(error instanceof LandfallError)) throw error;
    return { accepted: false, why: error.message };
  }
}

/** Members whose content the bootstrap ignores (decision 25). */
const evidence = ['release.sigstore.json', 'SHA256SUMS', 'provenance.sigstore.json'];

/** Returns a copy in which that content is zero, with its size and the checksum of its header. */
function withoutEvidence(joined: Buffer, bundle: Buffer): Buffer {
  const copy = Buffer.from(joined);
  for (let at = 0; at < bundle.length; at += 512) {
    const header = bundle.subarray(at, at + 512);
    if (!evidence.some((name) => header.toString('latin1').startsWith(`${name}\0`))) continue;
    const size = Number.parseInt(header.toString('latin1', 124, 135), 8);
    copy.fill(0, at + 124, at + 136);
    copy.fill(0, at + 148, at + 156);
    copy.fill(0, at + 512, at + 512 + 512 * Math.ceil(size / 512));
  }
  return copy;
}

/**
 * Returns whether all bytes that the bootstrap needs are served in their places. It ignores bytes after
 * the fixed size of a part, and parts after the end of the bundle (decision 41).
 */
function servesAll({ bundle, parts }: PartInput): boolean {
  const needed = splitInto(bundle, parts[0]?.length || 1);
  const served = needed.map((part, at) => {
    const filler = Buffer.alloc(part.length, 0xff);
    parts[at]?.copy(filler);
    return filler;
  });
  const joined = Buffer.concat(served);
  return withoutEvidence(joined, bundle).equals(withoutEvidence(bundle, bundle));
}

function differenceIn(input: PartInput, verifier: Verdict, other: Verdict): string | undefined {
  if (verifier.accepted !== other.accepted) {
    if (other.accepted && servesAll(input)) return undefined;
    return `${input.name}: ${JSON.stringify(verifier)} -- bootstrap: ${JSON.stringify(other)}`;
  }
  if (!verifier.accepted || !other.accepted) return undefined;
  return verifier.files.join() === other.files.join() ? undefined : `${input.name}: other files`;
}

/** Returns what both programs say about the parts. */
async function judge({ parts, manifest }: PartInput, ranges: boolean) {
  const pin = sha256(manifest);
  const sizes = parts.map(({ length }) => length);
  return {
    verifier: await verify(parts, pin),
    bootstrap: await bootstrap.judge(Buffer.concat(parts), pin, { sizes, ranges }),
  };
}

it('the verifier and the bootstrap agree on parts, except for the differences in decision 41', async () => {
  const inputs = fuzzRuns(200);
  const differences: Array<string | undefined> = [];
  const tally = { accepted: 0, rejected: 0 };
  for (let index = 0; index < inputs; index += 1) {
    const input = partInputAt(1, index);
    const { verifier, bootstrap: other } = await judge(input, index % 4 > 0);
    differences.push(differenceIn(input, verifier, other));
    tally[verifier.accepted ? 'accepted' : 'rejected'] += 1;
  }
  expect(differences.filter((text) => text !== undefined)).toEqual([]);
  // Inputs that are all valid or all invalid would prove nothing.
  expect(tally.accepted).toBeGreaterThan(inputs / 20);
  expect(tally.rejected).toBeGreaterThan(inputs / 3);
});

// One signature in hundreds is shorter than 70 bytes, and with it the JSON around it.
it('only the verifier compares the size of the Sigstore bundle', async () => {
  const { bundle, manifest } = new Draft().make();
  const other = new Draft();
  other.sigstore = () => Buffer.from('{}');
  const shorter = other.make().bundle;
  const start = bundle.indexOf('release.sigstore.json\0');
  const end = bundle.indexOf('SHA256SUMS\0');
  const sigstore = shorter.subarray(start, shorter.indexOf('SHA256SUMS\0'));
  expect(sigstore.length).toBe(end - start);
  const spliced = Buffer.concat([bundle.subarray(0, start), sigstore, bundle.subarray(end)]);
  const input = { name: 'a shorter member', bundle, manifest, parts: splitInto(spliced, 2000) };
  const { verifier, bootstrap: accepting } = await judge(input, true);
  expect(verifier).toMatchObject({ accepted: false, rule: 'same-sigstore' });
  expect(accepting.accepted).toBe(true);
  expect(differenceIn(input, verifier, accepting)).toBeUndefined();
});
