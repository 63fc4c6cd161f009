import { resolve } from 'node:path';
import { withoutPart } from '#contract/bundle/part-name.ts';
import { LandfallError } from '#contract/errors.ts';
import { readSite } from '../../config/site.ts';
import { bringUp } from '../../preview/bring-up.ts';
import { Docker } from '../../preview/docker/docker.ts';
import { needDocker } from '../../preview/docker/facts.ts';
import { previewName, projectOf } from '../../preview/preview.ts';
import { removePreview } from '../../preview/remove.ts';
import { defaultSite } from '../../preview/render.ts';
import {
  describeRemoved,
  describeStarted,
  openBrowser,
  type Reported,
  startedToJson,
  urlOfPreview,
} from '../../preview/report.ts';
import { PreviewFolder } from '../../preview/state.ts';
import { interruptible, undo } from '../../preview/undo.ts';
import { chooseReporter, printWarnings, type ReportOptions } from '../../progress/reporter.ts';
import { releasePaths } from '../../user-data/release-paths.ts';
import type { CommandContext } from '../context.ts';
import { keyWarnings, readTrustedKeys, type TrustFlags } from '../trusted-keys.ts';

/** Options of `landfall preview`. */
export interface PreviewFlags extends TrustFlags, ReportOptions {
  readonly site?: string;
  readonly name?: string;
  readonly port?: number;
  readonly open: boolean;
  readonly down?: boolean;
  readonly keepData?: boolean;
}

/** Starts or removes a preview and prints the result. @throws LandfallError */
export async function previewAction(
  context: CommandContext,
  bundle: string | undefined,
  flags: PreviewFlags,
): Promise<void> {
  const name = previewName(context.cwd, flags.name);
  const folder = new PreviewFolder(context.env, name);
  if (flags.down) return await remove(context, name, folder, flags);
  if (flags.keepData) {
    throw new LandfallError('USAGE', '--keep-data is given without --down', {
      hint: 'Add --down, or leave out --keep-data.',
    });
  }
  if (bundle === undefined) {
    throw new LandfallError('USAGE', 'no bundle is given', {
      hint: 'Add the path of a bundle, for example dist/landfall-1.0.0-amd64.tar',
    });
  }
  const reported = await start(context, { name, folder, path: bundle }, flags);
  report(context, reported, flags);
}

async function remove(
  { env, stdout }: CommandContext,
  name: string,
  folder: PreviewFolder,
  { keepData, json, quiet }: PreviewFlags,
): Promise<void> {
  const docker = new Docker(env);
  await needDocker(docker);
  const removed = await removePreview(docker, folder, name, { keepData });
  if (json) stdout.write(`${JSON.stringify({ name, removed })}\n`);
  else if (!quiet) stdout.write(`${describeRemoved(name, removed)}\n`);
}

async function start(
  context: CommandContext,
  { name, folder, path }: Pick<Reported, 'name' | 'folder'> & { readonly path: string },
  flags: PreviewFlags,
): Promise<Reported> {
  const { cwd, env, stderr } = context;
  const keys = await readTrustedKeys(context, flags);
  const site = flags.site === undefined ? defaultSite() : await readSite(resolve(cwd, flags.site));
  const wasStarted = (await folder.readState())?.started ?? false;
  const reporter = chooseReporter(context, flags);
  const input = {
    ...{ name, folder, cwd, env, site, reporter, port: flags.port },
    path: await bundleAt(resolve(cwd, path)),
    policy: { keys, allowNewKeys: flags.acceptNewKeys, now: new Date() },
    verified: (release: Parameters<typeof keyWarnings>[0]) => {
      if (!flags.json && !flags.quiet) printWarnings(context, keyWarnings(release, keys));
      reporter.step(`verified: ${release.product} ${release.version} for ${release.arch}`);
    },
  };
  try {
    const started = await interruptible((signal) => bringUp(input, signal));
    return { name, project: projectOf(name), folder, started };
  } catch (error) {
    reporter.close();
    return await undo(error, { name, folder, env, wasStarted, stderr });
  } finally {
    reporter.close();
  }
}

/** Returns the bundle of a folder for the processor of this computer, or else its first. */
async function bundleAt(path: string): Promise<string> {
  const paths = await releasePaths([path]);
  const own = process.arch === 'arm64' ? 'arm64' : 'amd64';
  return paths.find((each) => withoutPart(each).endsWith(`-${own}.tar`)) ?? paths[0] ?? path;
}

function report(
  { stdout, env, interactive }: CommandContext,
  reported: Reported,
  { json, quiet, open }: PreviewFlags,
): void {
  const isTerminal = 'isTTY' in stdout && stdout.isTTY === true;
  if (json) stdout.write(`${JSON.stringify(startedToJson(reported))}\n`);
  else if (!quiet) {
    stdout.write(`${describeStarted(reported, { showPassword: isTerminal })}\n`);
    if (open && isTerminal && interactive) openBrowser(urlOfPreview(reported.started), env);
  }
}
