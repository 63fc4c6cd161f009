import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { setOutput, setSecret, summary } from '@actions/core';
import { manifestName } from '#contract/bundle/head.ts';
import { escapeHtml } from '#contract/text/escape-html.ts';
import { formatBytes } from '#contract/text/format-bytes.ts';
import { parseJson } from '#contract/text/json.ts';
import { formatKeyId, readPublicKey } from '#contract/trust/keys.ts';
import { annotateFailure, type Failure } from './failure.ts';
import { buildArguments, keyVariable, readInputs } from './inputs.ts';

/** A program of the Action's checkout. */
interface Child {
  /** Path of the program. */
  readonly program: string;
  readonly args: readonly string[];
  /** Secrets of the environment that the program gets; it gets no other of {@link secretNames}. */
  readonly secrets: readonly string[];
}

/** The variables that `gh` reads its token from. */
const tokenNames = ['GH_TOKEN', 'GITHUB_TOKEN'] as const;
/** Environment variables that only the programs that need them get. */
const secretNames = ['RELEASE_KEY', 'LANDFALL_KEY_PASSPHRASE', ...tokenNames] as const;

/** Result of a program: its exit code and its standard output. */
interface Finished {
  readonly exitCode: number;
  readonly stdout: string;
}

/**
 * Runs a program of the checkout without a shell and returns its output. Its standard error goes to
 * the log, where the runner executes no command of it.
 * @throws Error when it cannot be started
 */
async function runChild({ program, args, secrets }: Child): Promise<Finished> {
  const token = randomUUID();
  // The runner also reads commands such as ::add-mask:: from the output of child processes.
  process.stdout.write(`::stop-commands::${token}\n`);
  try {
    const child = spawn(process.execPath, [program, ...args], {
      env: environmentWith(secrets),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    // On the stream of the tokens: the runner reads two streams in no fixed order.
    child.stderr.pipe(process.stdout, { end: false });
    const [exitCode, stdout] = await Promise.all([
      new Promise<number>((resolve, reject) => {
        child.once('error', reject);
        child.once('close', (code) => resolve(code ?? 1));
      }),
      text(child.stdout),
    ]);
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
const root = fileURLToPath(new URL('../..', import.meta.url));

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
      program: join(root, 'builder/release/upload-draft.ts'),
      args: [inputs.publish, ...files],
      secrets: tokenNames,
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
  const crash = { error: { code: 'BUG', message: 'a program of Landfall printed no result' } };
  return (parseJson(stdout) as Result | undefined) ?? crash;
}

function bug(reason: unknown): Failure {
  return { code: 'BUG', message: reason instanceof Error ? reason.message : String(reason) };
}

/** Sets the outputs of the Action. Lists have one path per line. */
function setOutputs(bundles: readonly BundleFiles[], keyId: string): void {
  setOutput('bundles', bundles.flatMap(({ tars }) => tars).join('\n'));
  setOutput('manifests', bundles.map(({ manifest }) => manifest).join('\n'));
  setOutput('key-id', keyId);
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

/** Returns the ID of the key that signed the bundles of a folder: SHA-256 of its DER, 64 hex digits. */
async function keyIdOf(folder: string): Promise<string> {
  return readPublicKey(await readFile(join(folder, publicKeyName), 'utf8')).id;
}

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
