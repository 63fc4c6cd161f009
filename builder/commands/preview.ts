import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import type { OptionsOf } from '#cli/options-of.ts';
import { LandfallError } from '#contract/errors.ts';
import { isEngineNode } from '#contract/site/enabled.ts';
import { inLanguage } from '#contract/text/language.ts';
import type { CommandContext } from './context.ts';
import { wholeNumber, withOutputOptions, withTrustOptions } from './options.ts';
import type { Reported } from './preview/report.ts';
import type { PreviewFolder } from './preview/state.ts';

const example = {
  en: `
Example:
  landfall preview dist/landfall-1.0.0-amd64.tar
  landfall preview --down

Runs the stack of a bundle with Docker on this computer, after it has verified the bundle. All ports
are on 127.0.0.1. There is no hardening: firewall, SSH, bans and system settings need a server.
Without --name, the preview belongs to the current folder. --down removes containers, networks,
volumes, images and files of the preview.
`,
  zh: `
示例：
  landfall preview dist/landfall-1.0.0-amd64.tar
  landfall preview --down

先验证发布包，再用 Docker 在这台电脑上运行它。所有端口都在 127.0.0.1 上。没有安全加固：防火墙、SSH、封禁和
系统设置只在服务器上有。不加 --name 时，预览属于当前文件夹。--down 删除预览的容器、网络、数据卷、镜像和文件。
`,
};

/** `landfall preview`: runs the stack of a bundle on this computer. */
export function previewCommand(context: CommandContext) {
  return definition().action((bundle, flags) => preview(context, bundle, flags));
}

const definition = () =>
  withOutputOptions(
    withTrustOptions(
      new Command('preview')
        .description('run the stack of a bundle on this computer, with Docker')
        .argument(
          '[bundle]',
          'path of the .tar file, of any part of it, or of a folder with bundles',
        )
        .option('--site <file>', 'site with the components and providers (default: no options)')
        .option('--name <name>', 'name of the preview (default: from the current folder)')
        .option(
          '--port <port>',
          'port of the chat UI (default: 8443, or a free one)',
          wholeNumber('--port', 65_535),
        ),
    )
      .option('--no-open', 'do not open the browser')
      .addOption(new Option('--down', 'remove the preview').conflicts(['site', 'port']))
      .option('--keep-data', 'with --down: keep the volumes with chats and models'),
  ).addHelpText('after', inLanguage(example));

type PreviewFlags = OptionsOf<typeof definition>;

/** Starts or removes a preview and prints the result. @throws LandfallError */
async function preview(
  context: CommandContext,
  bundle: string | undefined,
  flags: PreviewFlags,
): Promise<void> {
  const { previewName } = await import('./preview/preview.ts');
  const { PreviewFolder } = await import('./preview/state.ts');
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
  await report(context, await start(context, { name, folder, path: bundle }, flags), flags);
}

async function remove(
  { env, stdout }: CommandContext,
  name: string,
  folder: PreviewFolder,
  { keepData, json, quiet }: PreviewFlags,
): Promise<void> {
  const { Docker } = await import('./preview/docker/docker.ts');
  const { needDocker } = await import('./preview/docker/facts.ts');
  const { removePreview } = await import('./preview/remove.ts');
  const { describeRemoved } = await import('./preview/report.ts');
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
  const { readSite } = await import('../inputs/config/site.ts');
  const { bringUp } = await import('./preview/bring-up.ts');
  const { projectOf } = await import('./preview/preview.ts');
  const { defaultSite } = await import('./preview/render.ts');
  const { interruptible, undo } = await import('./preview/undo.ts');
  const { speakAs } = await import('../base/language.ts');
  const { chooseReporter, printWarnings } = await import('../base/progress/reporter.ts');
  const { keyWarnings, readTrustedKeys } = await import('./keys.ts');
  const { cwd, env, stderr } = context;
  const project = projectOf(name);
  const keys = await readTrustedKeys(context, flags);
  const site = flags.site === undefined ? defaultSite() : await readSite(resolve(cwd, flags.site));
  await speakAs(site, flags);
  if (isEngineNode(site)) {
    throw new LandfallError('USAGE', 'the site is that of an engine node, which has no pages', {
      hint: 'Preview the site of the first server.',
    });
  }
  const wasStarted = (await folder.readState())?.started ?? false;
  const reporter = chooseReporter(context, flags);
  const input = {
    ...{ name, project, folder, env, site, reporter, port: flags.port },
    path: await bundleAt(resolve(cwd, path)),
    policy: { keys, allowNewKeys: flags.acceptNewKeys, now: new Date() },
    verified: (release: Parameters<typeof keyWarnings>[0]) => {
      if (!flags.json && !flags.quiet) printWarnings(context, keyWarnings(release, keys));
      reporter.step(`verified: ${release.product} ${release.version} for ${release.arch}`);
    },
  };
  try {
    const run = interruptible((signal) => bringUp(input, signal));
    return { name, project, folder, started: await run.finally(() => reporter.close()) };
  } catch (error) {
    return await undo(error, { name, folder, env, wasStarted, stderr });
  }
}

/** Returns the bundle of a folder for the processor of this computer, or else its first. */
async function bundleAt(path: string): Promise<string> {
  const { withoutPart } = await import('#contract/bundle/release-name.ts');
  const { releasePaths } = await import('../bundle/released/read-release.ts');
  const paths = await releasePaths([path]);
  const own = process.arch === 'arm64' ? 'arm64' : 'amd64';
  return paths.find((each) => withoutPart(each).endsWith(`-${own}.tar`)) ?? paths[0] ?? path;
}

async function report(
  { stdout, env, interactive }: CommandContext,
  reported: Reported,
  { json, quiet, open }: PreviewFlags,
): Promise<void> {
  const { describeStarted, openBrowser, startedToJson, urlOfPreview } = await import(
    './preview/report.ts'
  );
  const isTerminal = 'isTTY' in stdout && stdout.isTTY === true;
  if (json) stdout.write(`${JSON.stringify(startedToJson(reported))}\n`);
  else if (!quiet) {
    stdout.write(`${describeStarted(reported, { showPassword: isTerminal })}\n`);
    if (open && isTerminal && interactive) openBrowser(urlOfPreview(reported.started), env);
  }
}
