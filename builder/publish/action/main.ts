import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { setOutput, setSecret, summary } from '@actions/core';
import { manifestName } from '#contract/bundle/head.ts';
import { formatBytes } from '#contract/text/amount.ts';
import { parseJson } from '#contract/text/json.ts';
import { escapeHtml } from '#contract/text/plain-line.ts';
import { formatKeyId, readPublicKey } from '#contract/trust/keys.ts';
import { annotateFailure, type Failure } from './failure.ts';
import { keyVariable, readInputs } from './inputs.ts';

/** The variables that `gh` reads its token from. */
const tokenNames = ['GH_TOKEN', 'GITHUB_TOKEN'] as const;
/** Environment variables that only the programs that need them get. */
const secretNames = ['RELEASE_KEY', 'LANDFALL_KEY_PASSPHRASE', ...tokenNames] as const;

/**
 * Runs a program of the checkout without a shell and returns its output. Its standard error goes to
 * the log, where the runner executes no command of it.
 * @param program path in the checkout
 * @param secrets variables that the program gets; it gets no other of {@link secretNames}
 * @throws Error when it cannot be started
 */
async function runChild(program: string, args: readonly string[], secrets: readonly string[]) {
  const token = randomUUID();
  // The runner also reads commands such as ::add-mask:: from the output of child processes.
  process.stdout.write(`::stop-commands::${token}\n`);
  try {
    const child = spawn(process.execPath, [join(root, program), ...args], {
      env: environmentWith(secrets),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    // On the stream of the tokens: the runner reads two streams in no fixed order.
    child.stderr.pipe(process.stdout, { end: false });
    const [[exitCode], stdout] = await Promise.all([once(child, 'close'), text(child.stdout)]);
    return { exitCode, stdout };
  } finally {
    process.stdout.write(`::${token}::\n`);
  }
}

/** Returns the environment without inputs, and without secrets except the named ones. */
function environmentWith(secrets: readonly string[]): NodeJS.ProcessEnv {
  const hidden = secretNames.filter((name) => !secrets.includes(name));
  return Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !name.startsWith('INPUT_') && !hidden.some((each) => each === name),
    ),
  );
}

/*
 * The program of the GitHub Action. esbuild bundles it into `index.mjs`, which is committed. It runs
 * the builder of its own checkout, so that a bundle has the bytes that the checkout makes elsewhere.
 */
const notInstalled =
  'the dependencies of the builder could not be installed; the log has the cause';
const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Builds, publishes and reports. Returns the error of a program that failed. */
async function runAction(): Promise<Failure | undefined> {
  const inputs = readInputs();
  if ('code' in inputs) return inputs;
  const installed = await runChild('builder/bin/install.mjs', [], []);
  if (installed.exitCode !== 0) return { code: 'TOOL_MISSING', message: notInstalled };
  const keySecrets = [keyVariable, 'LANDFALL_KEY_PASSPHRASE'];
  const build = await runChild('builder/bin/landfall.mjs', inputs.args, keySecrets);
  const result = resultOf(build.stdout);
  if (result.error) return result.error;
  const bundles = await Promise.all((result.bundles ?? []).map(filesOf));
  // SHA-256 of the DER, 64 hex digits.
  const { id: keyId } = readPublicKey(await readFile(join(inputs.output, publicKeyName), 'utf8'));
  if (inputs.publish !== '') {
    const files = [...new Set(bundles.flatMap(({ all }) => all))];
    const uploadArgs = [inputs.publish, ...files];
    const upload = await runChild(
      'builder/publish/release/upload-draft.ts',
      uploadArgs,
      tokenNames,
    );
    const { error } = resultOf(upload.stdout);
    if (error) return error;
  }
  // Lists have one path per line.
  setOutput('bundles', bundles.flatMap(({ tars }) => tars).join('\n'));
  setOutput('manifests', bundles.map(({ manifest }) => manifest).join('\n'));
  setOutput('key-id', keyId);
  await writeSummary(bundles, keyId);
  return undefined;
}

interface Result {
  readonly error?: Failure;
  readonly bundles?: readonly BuiltBundle[];
}

/** Parses what a program printed with `--json`. Other output means that it crashed. */
function resultOf(stdout: string): Result {
  const crash = { error: { code: 'BUG', message: 'a program of Landfall printed no result' } };
  return (parseJson(stdout) as Result | undefined) ?? crash;
}

/** Writes the job summary: a table of the bundles, and the key ID to compare. */
async function writeSummary(bundles: readonly BundleFiles[], keyId: string): Promise<void> {
  const header = ['Bundle', 'Size', 'SHA-256 of release.json'];
  const rows = bundles.map(({ name, tars, size, manifestSha256 }) => [
    escapeHtml(tars.length > 1 ? `${name} (${tars.length} parts)` : name),
    formatBytes(size),
    `<code>${escapeHtml(manifestSha256)}</code>`,
  ]);
  await summary
    .addHeading('Bundles', 2)
    .addTable([header.map((data) => ({ data, header: true })), ...rows])
    .addRaw(`Key ID: <code>${formatKeyId(keyId)}</code> (SHA-256 ${keyId})`, true)
    .write();
}

/** A bundle in the output of `landfall build --json`. */
interface BuiltBundle {
  readonly path: string;
  /** SHA-256 of release.json, 64 hex digits. */
  readonly manifestSha256: string;
}

/** The files of a bundle. */
interface BundleFiles extends BuiltBundle {
  readonly name: string;
  /** The bundle, or its parts in order. */
  readonly tars: readonly string[];
  /** Total size of `tars` in bytes. */
  readonly size: number;
  readonly manifest: string;
  /** All files of the bundle, and the public key. */
  readonly all: readonly string[];
}

const publicKeyName = 'release.pub';

/** Lists the files that the builder wrote for a bundle: one tar or its parts, and those beside it. */
async function filesOf(built: BuiltBundle): Promise<BundleFiles> {
  const folder = dirname(built.path);
  const name = basename(built.path).replace(/\.tar(?:\.\d+)?$/, '');
  const names = (await readdir(folder)).filter((file) => file.startsWith(`${name}.`)).sort();
  const isTar = (file: string) => /^\.tar(?:\.\d+)?$/.test(file.slice(name.length));
  const tars = names.filter(isTar).map((file) => join(folder, file));
  const sizes = await Promise.all(tars.map(async (file) => (await stat(file)).size));
  return {
    ...built,
    name,
    tars,
    size: sizes.reduce((sum, size) => sum + size, 0),
    manifest: join(folder, `${name}.${manifestName}`),
    all: [...names, publicKeyName].map((file) => join(folder, file)),
  };
}

// First, so that no later message can contain a secret.
for (const name of secretNames) {
  const secret = process.env[name];
  if (secret) setSecret(secret);
}

const failure = await runAction().catch(
  (error: unknown): Failure => ({
    code: 'BUG',
    message: error instanceof Error ? error.message : String(error),
  }),
);
if (failure) {
  annotateFailure(failure);
  process.exitCode = 1;
}
