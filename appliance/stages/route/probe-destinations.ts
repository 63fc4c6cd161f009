import type { Release } from '#contract/bundle/release.ts';
import { type ErrorCode, LandfallError } from '#contract/errors.ts';
import { chosenImages } from '#contract/site/chosen-images.ts';
import { mirrorsOf } from '#contract/site/network/mirrors.ts';
import type { Site } from '#contract/site/site.ts';
import { messageOf } from '#contract/text/chinese-errors.ts';
import type { Text } from '#contract/text/language.ts';
import { safeUrl } from '#http/safe-url.ts';
import { makeFolder, readText, removeFile } from '../../server/host/files.ts';
import { routeToProviders } from '../../server/host/own-machines.ts';
import { imageName } from '../../server/host/pull/image-name.ts';
import type { Warning } from '../../server/stage/reporter.ts';
import type { Context } from '../../server/stage/stage.ts';
import { reach, reachAny } from './reach.ts';

/** A destination of this server that was probed. */
export interface Checked {
  /** The key of its state, and its name in English: `images of docker.io`, `provider openai`. */
  readonly subject: string;
  /** Its name for users; absent for a file, whose name is the same in every language. */
  readonly title?: Text | undefined;
  /** Why it cannot be reached, without secrets. */
  readonly failure?: string | undefined;
  readonly code?: ErrorCode | undefined;
  readonly hint?: string | undefined;
  /** Kind and subject of its warning in the report. */
  readonly warning: Pick<Warning, 'kind' | 'subject'>;
}

/** Probes every download of a release. One reachable URL of a download is enough. */
export async function probeDestinations(site: Site, release: Release): Promise<Checked[]> {
  return await Promise.all(
    destinations(release, site).map(async ({ what, chinese, urls }) => {
      const answers = await reachAny(site, urls);
      const known = named(what, chinese);
      if (answers.some(({ failure }) => failure === undefined)) return known;
      const failure = answers.map((each) => each.failure?.message).join('; ');
      const { code, hint } = answers[0]?.failure ?? {};
      return { ...known, failure, code, hint };
    }),
  );
}

/** Returns the names of a destination of the route; a file has the same name in every language. */
export function named(subject: string, chinese?: string) {
  const title = chinese === undefined ? undefined : { en: subject, zh: chinese };
  return { subject, title, warning: { kind: 'route', subject } } as const;
}

/** A download of a release and its URLs, of which one is enough. */
interface Destination {
  readonly what: string;
  readonly chinese?: string;
  readonly urls: readonly string[];
}

/** Docker Hub is named docker.io, but its registry is on another host. */
const hub = { name: 'docker.io', host: 'registry-1.docker.io' };

/**
 * Returns what a thin release downloads: images from registries or their mirrors, and files that it
 * does not contain. A full release downloads nothing.
 */
export function destinations(release: Release, site: Site): Destination[] {
  const { kind, downloads } = release;
  const { mirrors } = site;
  if (kind === 'full') return [];
  const registries = chosenImages(release, site)
    // Images that the builder assembled are always in the bundle.
    .filter(({ base }) => base === undefined)
    .map(({ reference }) => imageName(reference).registry);
  return [
    ...[...new Set(registries)].map((registry) => ({
      what: `images of ${registry}`,
      chinese: `${registry} 的镜像`,
      urls: [...mirrorsOf(mirrors.registries, registry), homeOf(registry)].map(
        (url) => `${url.replace(/\/$/, '')}/v2/`,
      ),
    })),
    ...downloads.map(({ path, urls }) => ({
      what: path,
      urls: [...(mirrors.files === undefined ? [] : [mirrors.files]), ...urls],
    })),
  ];
}

/** Returns the origin of a registry; Docker uses plain HTTP for loopback only. */
function homeOf(registry: string): string {
  const host = registry === hub.name ? hub.host : registry;
  const local = /^(?:localhost|127\.\d+\.\d+\.\d+)(?::|$)/.test(host);
  return `${local ? 'http' : 'https'}://${host}`;
}

const helper = '/usr/lib/apt/apt-helper';
/** Must be readable by `_apt`, the user of apt's helpers. */
const folder = 'run/landfall/precondition';

/** Returns the URL of one small file per archive of the distribution. */
export async function archiveFiles({
  host,
  server,
}: Pick<Context, 'host' | 'server'>): Promise<string[]> {
  const { stdout } = await host.run('apt-get', ['update', '--print-uris']);
  const files = [...stdout.matchAll(/^'(\S+)\/dists\/(\S+)\/InRelease'/gm)]
    .map(([, base = '', suite = '']) => ({ base, suite }))
    .filter(({ suite }) => suite.startsWith(server.codename));
  const first = new Map(files.toReversed().map(({ base, suite }) => [base, suite]));
  const resolved = [...first].map(async ([base, suite]) => {
    const url = await throughMirrorList(host, base);
    return `${url.replace(/\/$/, '')}/dists/${suite}/InRelease`;
  });
  return await Promise.all(resolved);
}

/** Resolves a mirror list, which Debian's cloud images use instead of a URL. */
async function throughMirrorList(host: Context['host'], base: string): Promise<string> {
  const path = /^mirror\+file:\/*(\/.+)$/.exec(base)?.[1];
  if (path === undefined) return base;
  const list = (await readText(host, path.slice(1))) ?? '';
  return /^\s*(https?:\/\/\S+)/m.exec(list)?.[1] ?? base;
}

/**
 * Fetches one small file per archive with apt's own settings, including proxies of the image.
 * Returns every archive, with the reason if it cannot be reached.
 */
export async function probeArchives(context: Pick<Context, 'host' | 'server'>): Promise<Checked[]> {
  const { host } = context;
  await makeFolder(host, folder);
  const files = await archiveFiles(context);
  const probed: Checked[] = [];
  for (const [index, file] of files.entries()) {
    const target = `${folder}/${index}`;
    const name = new URL(file).host;
    const known = named(`packages of ${name}`, `${name} 的软件包`);
    try {
      await host.run(helper, [...shortTimeouts, 'download-file', file, host.path(target)], {
        seconds: 90,
      });
      probed.push(known);
    } catch (error) {
      if (!(error instanceof LandfallError)) throw error;
      probed.push({ ...known, failure: reasonOf(error), code: 'NETWORK_UNREACHABLE' });
    } finally {
      await removeFile(host, target);
    }
  }
  return probed;
}

const shortTimeouts = [
  ['Acquire::Retries', '1'],
  ['Acquire::http::Timeout', '20'],
  ['Acquire::https::Timeout', '20'],
].flatMap(([name, value]) => ['-o', `${name}=${value}`]);

/** Returns apt's error without the URL, which the message already contains. */
function reasonOf({ message, problems }: LandfallError): string {
  const said = problems.map((problem) => problem.message);
  const line = said.find((text) => /^E: Failed to fetch/.test(text)) ?? said.at(-1) ?? message;
  return line.replace(/^E: (?:Failed to fetch \S+\s+)?/, '').trim();
}

/** Sends an HTTPS request to the API host of each provider (SPEC 1.2, SPEC 6). */
export async function probeProviders(
  site: Pick<Site, 'providers' | 'route' | 'ca'>,
): Promise<Checked[]> {
  const providers = Object.entries(site.providers);
  const reached = await reach(
    { ...site, route: routeToProviders(site, site.route) },
    providers.map(([, { base_url }]) => base_url),
  );
  return providers.map(([name, { base_url }]) => {
    const { href } = new URL(base_url);
    const { failure } = reached.find(({ url }) => url.href === href) ?? {};
    return {
      subject: `provider ${name}`,
      title: { en: `provider ${name}`, zh: `模型服务商 ${name}` },
      failure: failure?.message,
      code: failure?.code,
      warning: { kind: 'provider', subject: name },
    };
  });
}

/**
 * Checks the precondition of SPEC 1.2. A failure is a warning, because the administrator must choose a
 * proxy or a relay for that provider.
 */
export async function warnOfProviders({ host, site, report }: Context): Promise<void> {
  const probed = await host.outside.measure(() => probeProviders(site));
  for (const { failure, code, warning } of probed) {
    if (failure === undefined) continue;
    const name = warning.subject;
    const url = safeUrl(new URL(site.providers[name]?.base_url ?? ''));
    report.warn({
      ...warning,
      text: {
        en: `the provider ${name} cannot be reached (${url}: ${failure}); set a proxy as the route of the site, or point providers.${name}.base_url at a relay`,
        zh: `无法访问模型服务商 ${name}（${url}：${messageOf({ code, message: failure }).zh}）；请把代理设为站点的线路，或把 providers.${name}.base_url 指向一个中继`,
      },
    });
  }
}
