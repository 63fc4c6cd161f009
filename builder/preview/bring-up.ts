import type { Release } from '#contract/bundle/release.ts';
import type { Site } from '#contract/site/site.ts';
import type { TrustPolicy } from '#contract/trust/trust.ts';
import type { SmokeResult } from '#smoke/smoke-test.ts';
import type { Reporter } from '../progress/reporter.ts';
import { BundleReader } from './bundle-reader.ts';
import { Docker } from './docker/docker.ts';
import { readDockerFacts } from './docker/facts.ts';
import { projectOf } from './name.ts';
import { smokePreview } from './smoke.ts';
import { type StartedPreview, startPreview } from './start.ts';
import type { PreviewFolder } from './state.ts';
import { verifyForPreview } from './verify.ts';

/** What to run, and where. */
interface BringUpInput {
  readonly name: string;
  readonly folder: PreviewFolder;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Path of the bundle. */
  readonly path: string;
  readonly policy: TrustPolicy;
  readonly site: Site;
  /** The port of the gateway that the user requires. */
  readonly port: number | undefined;
  readonly reporter: Reporter;
  /** Called with the verified release, before anything is created. */
  verified(release: Release): void;
}

/** A tested preview. */
export interface TestedPreview extends StartedPreview {
  readonly results: readonly SmokeResult[];
}

/**
 * Checks Docker, verifies the bundle, starts the preview and tests it.
 * @throws LandfallError of each of these steps; the reason of the signal
 */
export async function bringUp(input: BringUpInput, signal: AbortSignal): Promise<TestedPreview> {
  const { name, path, env, reporter } = input;
  const docker = new Docker(env, signal);
  const project = projectOf(name);
  const facts = await readDockerFacts(docker);
  const verified = await verifyForPreview(
    path,
    { ...input.policy, arch: facts.arch },
    reporter,
    signal,
  );
  input.verified(verified.release);
  const reader = await BundleReader.open(path, verified);
  try {
    // Host names would enable components that only they need.
    const site = { ...input.site, hosts: {} };
    const preview = { ...input, site, project, docker, facts, reader };
    const started = await startPreview(preview, input.port);
    return { ...started, results: await smokePreview(started.target, project, reporter, signal) };
  } finally {
    await reader.close();
  }
}
