import { Readable } from 'node:stream';
import type { Release } from '#contract/bundle/release.ts';
import { type VerifiedBundle, verifyBundle } from '#contract/bundle/verify.ts';
import { LandfallError } from '#contract/errors.ts';
import type { TrustPolicy } from '#contract/trust/trust.ts';
import { runSmoke } from '#smoke/run-smoke.ts';
import type { SmokeResult } from '#smoke/smoke-test.ts';
import type { SmokeTarget } from '#smoke/target.ts';
import { registerModels } from '#smoke/ui-models.ts';
import { type Reporter, silentReporter } from '../../base/progress/reporter.ts';
import { openBundle } from '../../bundle/archive/open-bundle.ts';
import { BundleReader } from './bundle-reader.ts';
import { Docker } from './docker/docker.ts';
import { readDockerFacts } from './docker/facts.ts';
import type { Preview } from './preview.ts';
import { type StartedPreview, startPreview } from './start.ts';

/** What to run, and where. */
interface BringUpInput extends Omit<Preview, 'docker' | 'facts' | 'reader'> {
  /** Path of the bundle. */
  readonly path: string;
  readonly policy: TrustPolicy;
  /** The port of the gateway that the user requires. */
  readonly port: number | undefined;
  /** Called with the verified release, before anything is created. */
  verified(release: Release): void;
}

/** A tested preview. */
export interface TestedPreview extends StartedPreview {
  readonly results: readonly SmokeResult[];
}

/**
 * Checks Docker, verifies the bundle, starts the preview and tests it.
 * @throws LandfallError of each of these steps; an error of the signal
 */
export async function bringUp(input: BringUpInput, signal: AbortSignal): Promise<TestedPreview> {
  const { path, project, reporter } = input;
  const docker = new Docker(input.env, signal);
  const facts = await readDockerFacts(docker);
  const verified = await verify(path, { ...input.policy, arch: facts.arch }, reporter, signal);
  input.verified(verified.release);
  await using bundle = await openBundle(path, silentReporter);
  const reader = new BundleReader(verified, bundle);
  // Host names would enable components that only they need.
  const site = { ...input.site, hosts: {} };
  const started = await startPreview({ ...input, site, docker, facts, reader }, input.port);
  return { ...started, results: await smokePreview(started.target, project, reporter, signal) };
}

/** Verifies a whole bundle before anything in it is used. */
async function verify(
  path: string,
  policy: TrustPolicy,
  reporter: Reporter,
  signal: AbortSignal,
): Promise<VerifiedBundle> {
  await using bundle = await openBundle(path, reporter);
  return await verifyBundle(Readable.from(bundle.content, { signal }), policy);
}

/**
 * Runs the smoke tests of a server on a preview.
 * @returns the results; a failed one needs an external service or a larger computer
 * @throws LandfallError SMOKE_FAILED for any other failure
 */
async function smokePreview(
  target: SmokeTarget,
  project: string,
  reporter: Reporter,
  signal: AbortSignal,
): Promise<SmokeResult[]> {
  const models = (target.inside?.models ?? []).map(({ name, role = 'chat' }) => ({ name, role }));
  // As the stage `models` of a server does. If it fails, a smoke test says so.
  await registerModels(target, models).catch(() => []);
  reporter.step('running the smoke tests');
  const results = await runSmoke(target, ({ outcome, title, detail }) => {
    signal.throwIfAborted();
    if (outcome === 'failed') reporter.note(`test failed: ${title}: ${detail}`);
  });
  const failed = results.filter(({ outcome }) => outcome === 'failed');
  const own = failed.filter((result) => !result.needsOthers && !result.beyondServer);
  const passed = results.filter(({ outcome }) => outcome === 'passed').length;
  reporter.note(`${passed} of ${passed + failed.length} smoke tests passed`);
  if (own.length === 0) return results;
  throw new LandfallError('SMOKE_FAILED', `${own.length} smoke tests failed`, {
    hint: `See the logs: docker compose --project-name ${project} logs --tail 50`,
    problems: own.map(({ title, detail }) => ({ message: `test failed: ${title}: ${detail}` })),
  });
}
