import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setSecret } from '@actions/core';
import { type BuiltBundle, filesOf, keyIdOf } from './built.ts';
import { runChild, secretNames } from './child.ts';
import { annotateFailure, type Failure } from './failure.ts';
import { buildArguments, keyVariable, readInputs } from './inputs.ts';
import { setOutputs, writeSummary } from './results.ts';

/*
 * The program of the GitHub Action. esbuild bundles it into `index.mjs`, which is committed. It runs
 * the builder of its own checkout, so that a bundle has the bytes that the checkout makes elsewhere.
 */
const notInstalled =
  'the dependencies of the builder could not be installed; the log has the cause';
const root = fileURLToPath(new URL('../..', import.meta.url));

// First, so that no later message can contain a secret.
for (const name of secretNames) {
  const secret = process.env[name];
  if (secret) setSecret(secret);
}
const failure = await runAction().catch(bug);
if (failure) {
  annotateFailure(failure);
  process.exitCode = 1;
}

/** Builds, publishes and reports. Returns the error of a program that failed. */
async function runAction(): Promise<Failure | undefined> {
  const inputs = readInputs();
  if ('code' in inputs) return inputs;
  const installed = await runChild({
    program: join(root, 'builder/install.mjs'),
    args: [],
    secrets: [],
  });
  if (installed.exitCode !== 0) return { code: 'TOOL_MISSING', message: notInstalled };
  const build = await runChild({
    program: join(root, 'builder/bin/landfall.mjs'),
    args: buildArguments(inputs),
    secrets: [keyVariable, 'LANDFALL_KEY_PASSPHRASE'],
  });
  const result = resultOf(build.stdout);
  if (result.error) return result.error;
  const bundles = await Promise.all((result.bundles ?? []).map(filesOf));
  const keyId = await keyIdOf(inputs.output);
  if (inputs.publish !== undefined) {
    const files = [...new Set(bundles.flatMap(({ all }) => all))];
    const upload = await runChild({
      program: join(root, 'builder/release/draft.ts'),
      args: ['upload', '--json', '--', inputs.publish, ...files],
      secrets: ['GITHUB_TOKEN'],
    });
    const { error } = resultOf(upload.stdout);
    if (error) return error;
  }
  setOutputs(bundles, keyId);
  await writeSummary(bundles, keyId);
  return undefined;
}

interface Result {
  readonly error?: Failure;
  readonly bundles?: readonly BuiltBundle[];
}

/** Parses what a program printed with `--json`. Other output means that it crashed. */
function resultOf(stdout: string): Result {
  try {
    return JSON.parse(stdout) as Result;
  } catch {
    return { error: { code: 'BUG', message: 'a program of Landfall printed no result' } };
  }
}

function bug(reason: unknown): Failure {
  return { code: 'BUG', message: reason instanceof Error ? reason.message : String(reason) };
}
