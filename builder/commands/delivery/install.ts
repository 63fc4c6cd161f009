import { resolve } from 'node:path';
import type { Release } from '#contract/bundle/release.ts';
import { LandfallError } from '#contract/errors.ts';
import { chosenImages } from '#contract/site/chosen-images.ts';
import { openingsOfSite } from '#contract/site/network/openings.ts';
import { formatOpening } from '#contract/site/opening.ts';
import type { Site } from '#contract/site/site.ts';
import { formatBytes } from '#contract/text/amount.ts';
import { say } from '#contract/text/language.ts';
import { formatProblems } from '#contract/text/problem.ts';
import { formatTable } from '#contract/text/table.ts';
import type { Server } from '../../../appliance/server/host/server.ts';
import { releasePaths } from '../../bundle/released/read-release.ts';
import { siteIsFixed, siteProblems, stopForNewSite } from '../../deliver/install/changed-site.ts';
import {
  type LocalRelease,
  type Prepared,
  prepare,
  releaseFor,
} from '../../deliver/install/prepare.ts';
import { checkServer, progressOf, takeSnapshot } from '../../deliver/install/server-snapshot.ts';
import { formatDestination } from '../../deliver/ssh/arguments.ts';
import { becomeRoot, type RootShell } from '../../deliver/ssh/root.ts';
import { refuseMissingComponents } from '../../deliver/user-data/refuse-missing-components.ts';
import type { CommandContext } from '../context.ts';
import { readUserDataSources, type SourceFlags } from '../user-data-sources.ts';
import { deliver } from './deliver.ts';
import { agree, type Logins, loginsTo, proxiesOf, type ServerFlags } from './logins.ts';

/** Options of `landfall install`. */
export interface InstallFlags extends SourceFlags, ServerFlags {}

/**
 * Installs a release on a server over SSH.
 * @throws LandfallError SSH_…, SERVER_UNFIT, USAGE, those of the site and of the release
 */
export async function installOn(
  context: CommandContext,
  server: string,
  flags: InstallFlags,
): Promise<void> {
  const logins = loginsTo(context, server, flags);
  const proxies = await proxiesOf(context, flags);
  const { site, releases } = await localReleases(context, flags);
  await using connection = await logins.open();
  const root = await becomeRoot(connection);
  const prepared = await approved(root, site, releases, { context, flags, logins });
  await deliver(context, flags, { logins, root, prepared, proxies });
}

/** Returns the site, and the verified releases with their bundles. */
async function localReleases(
  context: CommandContext,
  flags: InstallFlags,
): Promise<{ site: Site; releases: readonly LocalRelease[] }> {
  const { release: given = [] } = flags;
  if (given.length === 0 || given.some((path) => path.endsWith('.json'))) {
    throw new LandfallError('USAGE', 'the bundle is not given', {
      hint: {
        en: 'Add --release with the bundle for the server, or with the folder of the bundles.',
        zh: '用 --release 指定服务器用的发布包，或发布包所在的文件夹。',
      },
    });
  }
  const { site, releases } = await readUserDataSources(context, flags);
  refuseMissingComponents(site, releases);
  const paths = await releasePaths(given.map((path) => resolve(context.cwd, path)));
  return {
    site,
    releases: releases.map((pinned, index) => ({ pinned, path: paths[index] ?? '' })),
  };
}

interface Question {
  readonly context: CommandContext;
  readonly flags: InstallFlags;
  readonly logins: Logins;
}

/**
 * Checks a fresh server and asks; goes on with a server that has this release already, and asks whether
 * to send a changed site.
 */
async function approved(
  root: RootShell,
  site: Site,
  releases: readonly LocalRelease[],
  { context, flags, logins }: Question,
): Promise<Prepared> {
  await using snapshot = await takeSnapshot(root);
  const { server } = snapshot;
  const local = releaseFor(server, releases);
  const { release, manifestSha256 } = local.pinned;
  const prepared = prepare(site, local);
  const progress = await progressOf(snapshot, manifestSha256);
  const isBegun = progress === 'stages' || progress === 'installed';
  const changed = isBegun ? await siteProblems(snapshot, site) : [];
  if (changed.length > 0) {
    if (progress === 'installed') throw siteIsFixed(changed);
    const heading = say('site.yaml has changed:', 'site.yaml 有变化：');
    context.stderr.write(`${heading}\n${formatProblems(changed).join('\n')}\n`);
    await agree(
      context,
      flags,
      say('Send this site to the server?', '把这个站点配置发送到服务器？'),
    );
    await stopForNewSite(root);
  }
  if (progress !== 'fresh') return prepared;
  await checkServer(snapshot, release, site);
  const name = formatDestination(logins.destination);
  context.stderr.write(`${describeChanges(name, server, release, site)}\n`);
  await agree(context, flags, say('Set up this server?', '开始部署这台服务器？'));
  return prepared;
}

/** Formats what the installation changes on a server, for the question whether to go on. */
function describeChanges(name: string, server: Server, release: Release, site: Site): string {
  const { id, version } = server.distribution;
  const components = chosenImages(release, site).map(({ component }) => component);
  const opened = ['SSH', ...openingsOfSite(site).map(formatOpening)];
  const [memory, free] = [server.memory, server.freeDisk].map((bytes) => formatBytes(bytes));
  return formatTable([
    [
      say('server', '服务器'),
      say(
        `${name}: ${id} ${version}, ${server.arch}, ${memory} memory, ${free} free`,
        `${name}：${id} ${version}，${server.arch}，内存 ${memory}，磁盘剩余 ${free}`,
      ),
    ],
    [
      say('installs', '安装'),
      say(
        `${release.product} ${release.version}: Docker with ${components.join(', ')}`,
        `${release.product} ${release.version}：Docker 和 ${components.join('、')}`,
      ),
    ],
    [
      say('account', '账户'),
      say(
        `${site.admin.user}, with sudo, only with the SSH keys of the site`,
        `${site.admin.user}，有 sudo 权限，只能用站点的 SSH 密钥登录`,
      ),
    ],
    ['SSH', say('no passwords and no login as root any more', '不再允许密码登录和 root 登录')],
    [
      say('firewall', '防火墙'),
      say(`only ${opened.join(', ')} stay open`, `只开放 ${opened.join('、')}`),
    ],
    [
      say('system', '系统'),
      say(
        'fail2ban, kernel settings, automatic security updates',
        'fail2ban、内核设置、自动安全更新',
      ),
    ],
  ]);
}
