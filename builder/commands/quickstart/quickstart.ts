import { writeFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exitCodeOf } from '#contract/errors.ts';
import { formatError } from '#contract/text/error.ts';
import { languageOfLocale } from '#contract/text/language.ts';
import { formatKeyId } from '#contract/trust/keys.ts';
import { paintFor } from '#terminal/paint-for.ts';
import { columnsOf } from '#terminal/wrap-for.ts';
import { makeFolder } from '../../base/files/folder.ts';
import { speak } from '../../base/language.ts';
import { chooseReporter, type Reporter } from '../../base/progress/reporter.ts';
import { build } from '../../build.ts';
import { openBuildContext } from '../../bundle/build-context.ts';
import { refuseMissingComponents } from '../../deliver/user-data/refuse-missing-components.ts';
import { renderUserData } from '../../deliver/user-data/render.ts';
import { readSite } from '../../inputs/config/site.ts';
import type { CommandContext } from '../context.ts';
import { checkWithLandfall, checkWithOpenssl, checkWithSha256sum } from './checks.ts';
import { describeQuickstart } from './describe.ts';
import { exampleConfig, quickstartKey } from './example-config.ts';

/**
 * Runs the first command of the README: builds a thin release of the reference appliance from the
 * committed lock, with older images where it has no digest, signs it with a generated key, verifies it with three tools, and renders
 * user-data for an example site.
 */
async function quickstart(
  context: Omit<CommandContext, 'setExitCode'>,
  output: string,
): Promise<void> {
  const { env, stdout, stderr } = context;
  const notes: string[] = [];
  const reporter = collecting(chooseReporter(context, {}), notes);
  const buildContext = await openBuildContext({
    network: { env },
    mirrors: new Map(),
    env,
    reporter,
  });
  try {
    await makeFolder(output);
    const reference = inProject('builder/inputs/appliance.yaml');
    const example = await exampleConfig(reference, resolve(output, 'example'));
    notes.push(...example.notes);
    const key = await quickstartKey(env);
    const built = await build(
      {
        config: example.config,
        kind: 'thin',
        output,
        frozen: false,
        without: new Set(),
        // The quickstart of a fork works without the key of the fork.
        announceSigner: true,
      },
      key,
      buildContext,
    );
    reporter.step('verifying with three tools');
    const checks = [
      await checkWithLandfall(built, key.public),
      await checkWithOpenssl(built, resolve(output, 'release.pub')),
      await checkWithSha256sum(built),
    ];
    reporter.step('rendering user-data for an example site');
    const site = await readSite(inProject('builder/inputs/config/example-site.yaml'));
    refuseMissingComponents(site, built);
    const userData = renderUserData({
      site,
      releases: built,
      keys: { release: [key.public], recovery: undefined },
    });
    const userDataPath = resolve(output, 'example-user-data.yaml');
    await writeFile(userDataPath, userData.bytes, { mode: 0o600 });
    reporter.close();
    const facts = { built, keyId: formatKeyId(key.public.id), checks, notes };
    const show = (path: string) => relative(context.cwd, path);
    const look = { paint: paintFor(stdout, env), columns: columnsOf(stdout) };
    const pasted = { path: userDataPath, size: userData.bytes.length };
    stdout.write(`${describeQuickstart(facts, pasted, show, look)}\n`);
  } catch (error) {
    reporter.close();
    const look = { paint: paintFor(stderr, env), columns: columnsOf(stderr) };
    stderr.write(`${formatError(error, look)}\n`);
    process.exitCode = exitCodeOf(error);
  } finally {
    await buildContext.close();
  }
}

function inProject(path: string): string {
  return fileURLToPath(new URL(`../../../${path}`, import.meta.url));
}

/** Returns a reporter that collects its notes, to print them at the end. */
function collecting(reporter: Reporter, notes: string[]): Reporter {
  return { ...reporter, note: (text) => void notes.push(text) };
}

const { stdin, stdout, stderr, env } = process;
await speak(languageOfLocale(env));
const context = { stdin, stdout, stderr, env, cwd: process.cwd(), interactive: false };
await quickstart(context, resolve('dist'));
