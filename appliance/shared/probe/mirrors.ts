import { rowOfCode } from '#contract/error-codes.ts';
import { LandfallError } from '#contract/errors.ts';
import {
  type MirrorPresetName,
  mirrorPresetNames,
  mirrorPresets,
} from '#contract/mirror-presets.ts';
import { parseModelMirror } from '#contract/site/model-mirror.ts';
import { mirrorsOf } from '#contract/site/network/mirrors.ts';
import type { Site } from '#contract/site/site.ts';
import { messageOf } from '#contract/text/chinese-errors.ts';
import { inLanguage, type Text } from '#contract/text/language.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { alignRows } from '#contract/text/table.ts';
import type { ProxyServer } from '#http/proxy.ts';
import { type ProxyChoice, proxyChooser } from './choose-proxy.ts';
import type { Attempt } from './exchange/attempt.ts';
import { type ProbeNetwork, type Route, systemNetwork } from './exchange/network.ts';
import { send } from './exchange/send.ts';
import { type MirroredImage, sendForImage } from './mirrored-image.ts';

/** Options of `landfall probe mirrors`, on both command lines. */
export interface MirrorFlags {
  readonly preset?: MirrorPresetName;
  readonly proxy?: string;
  readonly json?: boolean;
}

interface MirrorInputs extends Omit<ProxyChoice, 'option'> {
  /** The mirrors of the site. */
  readonly mirrors: Site['mirrors'] | undefined;
  /** The images that the server would pull, if they are known. */
  readonly images?: readonly MirroredImage[] | undefined;
  /** PEM of additional certificate authorities. */
  readonly ca?: string | undefined;
}

/**
 * Requests the mirrors of a preset, else those of the site.
 * @throws LandfallError USAGE without a mirror
 */
export async function mirrorsFromFlags(
  flags: MirrorFlags,
  inputs: MirrorInputs,
): Promise<{ text: string; exitCode: number }> {
  const mirrors = flags.preset === undefined ? inputs.mirrors : mirrorPresets[flags.preset].mirrors;
  const targets = mirrors === undefined ? [] : mirrorTargets(mirrors, inputs.images);
  if (targets.length === 0) {
    throw new LandfallError('USAGE', 'there is no mirror to test: the site has none', {
      hint: {
        en: `Add mirrors to the site, or test a preset: landfall probe mirrors --preset ${mirrorPresetNames[0]}`,
        zh: `在站点中添加镜像源，或测试一个预设：landfall probe mirrors --preset ${mirrorPresetNames[0]}`,
      },
    });
  }
  const proxyFor = await proxyChooser({ ...inputs, option: flags.proxy });
  const reports = await probeMirrors(targets, systemNetwork(inputs.ca), proxyFor);
  const isComplete = reports.every(({ works }) => works);
  return {
    text: flags.json ? JSON.stringify({ mirrors: reports }, null, 2) : mirrorTable(reports),
    exitCode: isComplete ? 0 : rowOfCode('NETWORK_UNREACHABLE').exit,
  };
}

/** A mirror, or those of an image, and requests: one of them suffices. */
interface MirrorTarget {
  /** The field of the site, such as `mirrors.registries.docker.io`. */
  readonly field: string;
  readonly urls: readonly URL[];
  /** A registry answers 401 to a request without a token. */
  readonly statuses: readonly number[];
  /** The repository of an image whose manifest is requested, with an anonymous token if needed. */
  readonly image?: string;
}

/**
 * Returns what to request from each mirror of a site, in the order of its fields. A mirror of a registry
 * may serve listed images only, so each image that is known is requested by its digest, and one of the mirrors
 * must have it.
 */
export function mirrorTargets(
  mirrors: Site['mirrors'],
  images: readonly MirroredImage[] = [],
): MirrorTarget[] {
  const { apt, apt_security: security, registries, models, github, hub, npm, pip } = mirrors;
  const target = (
    name: string,
    base: string | undefined,
    paths: readonly string[],
    statuses: readonly number[] = [200],
  ): MirrorTarget[] => {
    if (base === undefined) return [];
    const urls = paths.map((path) => new URL(`${base.replace(/\/+$/, '')}${path}`));
    return [{ field: `mirrors.${name}`, urls, statuses }];
  };
  const model = models === undefined ? undefined : parseModelMirror(models);
  return [
    ...target('apt', apt, suites.map(releaseFile)),
    ...target('apt_security', security, securitySuites.map(releaseFile)),
    ...Object.keys(registries).flatMap((registry) => {
      const sources = mirrorsOf(registries, registry);
      const own = images.filter((image) => image.registry === registry);
      const name = `registries.${registry}`;
      return own.length === 0
        ? sources.flatMap((url) => target(name, url, ['/v2/'], [200, 401]))
        : own.map((image) => imageTarget(`mirrors.${name}`, sources, image));
    }),
    ...target(
      'models',
      model && `${model.insecure ? 'http' : 'https'}://${model.host}`,
      ['/v2/'],
      [200, 401],
    ),
    ...target('github', github, [composeChecksums]),
    ...target('hub', hub, ['/api/models?limit=1']),
    ...target('npm', npm, ['/-/ping']),
    ...target('pip', pip, ['/pip/']),
  ];
}

/** Returns the requests of an image. A path of a mirror is a prefix of the repository. */
function imageTarget(
  field: string,
  mirrors: readonly string[],
  { repository, digest }: MirroredImage,
): MirrorTarget {
  const urls = mirrors.map((mirror) => {
    const { origin, pathname } = new URL(mirror);
    const prefix = pathname.replace(/^\/v2(?=\/|$)/, '').replace(/\/+$/, '');
    return new URL(`${origin}/v2${prefix}/${repository}/manifests/${digest}`);
  });
  return { field, urls, statuses: [200], image: repository };
}

/** A small file of the releases that a build needs. GitHub redirects to its current version. */
const composeChecksums = '/docker/compose/releases/latest/download/checksums.txt';

/** Suites that every mirror of Debian, or of Ubuntu, has. */
const suites = ['stable', 'noble'];
const securitySuites = ['stable-security', 'noble-security'];

function releaseFile(suite: string): string {
  return `/dists/${suite}/InRelease`;
}

/** What the probe found about one mirror. */
interface MirrorReport {
  readonly field: string;
  /** The request that worked, else the first one. */
  readonly url: string;
  /** The repository of the requested image. */
  readonly image?: string;
  readonly works: boolean;
  readonly route: 'direct' | 'proxy';
  readonly status?: number;
  /** Why it does not work; contains no text of the mirror. */
  readonly reason?: string;
}

/** Requests each mirror directly, and through the proxy if that fails. All mirrors at once. */
export async function probeMirrors(
  targets: readonly MirrorTarget[],
  network: ProbeNetwork,
  proxyFor: (url: URL) => ProxyServer | undefined = () => undefined,
): Promise<MirrorReport[]> {
  return await Promise.all(
    targets.map(async (target) => {
      const direct = await probeOver(target, () => ({}), 'direct', network);
      const isProxied = target.urls.some((url) => proxyFor(url) !== undefined);
      if (direct.works || !isProxied) return direct;
      return await probeOver(target, (url) => routeOf(proxyFor(url)), 'proxy', network);
    }),
  );
}

function routeOf(proxy: ProxyServer | undefined): Route {
  return proxy === undefined ? {} : { proxy };
}

async function probeOver(
  { field, urls, statuses, image }: MirrorTarget,
  routeTo: (url: URL) => Route,
  route: MirrorReport['route'],
  network: ProbeNetwork,
): Promise<MirrorReport> {
  const failed: MirrorReport[] = [];
  for (const url of urls) {
    const { attempt } =
      image === undefined
        ? await send({ url }, routeTo(url), network)
        : await sendForImage(url, routeTo, network);
    const { status } = attempt;
    const reason = reasonOf(attempt, statuses);
    const about = { field, url: url.href, ...(image === undefined ? {} : { image }) };
    const found = { ...about, route, ...(status === undefined ? {} : { status }) };
    if (reason === undefined) return { ...found, works: true };
    failed.push({ ...found, works: false, reason });
  }
  const [first] = failed;
  if (first === undefined) throw new TypeError('a mirror without a request');
  return first;
}

/** A redirect counts as working, because apt, npm and pip follow it. */
function reasonOf(
  { status = 0, failure }: Attempt,
  statuses: readonly number[],
): string | undefined {
  if (failure !== undefined) {
    return inLanguage(messageOf({ code: failure.code, message: failure.reason }));
  }
  return statuses.includes(status) || (status >= 300 && status < 400)
    ? undefined
    : inLanguage({ en: `status ${status}`, zh: `状态 ${status}` });
}

const heads = { en: 'field|mirror|result', zh: '字段|镜像源|结果' };

function worksOver(route: MirrorReport['route'], status: number | undefined): Text {
  return route === 'proxy'
    ? { en: `works through the proxy (status ${status})`, zh: `通过代理可用（状态 ${status}）` }
    : { en: `works (status ${status})`, zh: `可用（状态 ${status}）` };
}

/** Formats reports as a table, one line per mirror. */
function mirrorTable(reports: readonly MirrorReport[]): string {
  const rows = reports.map(({ field, url, image, works, route, status, reason }) => [
    image === undefined ? field : `${field}: ${image}`,
    plainLine(new URL(url).host, 64),
    inLanguage(
      works ? worksOver(route, status) : { en: `FAILED: ${reason}`, zh: `失败：${reason}` },
    ),
  ]);
  return alignRows([inLanguage(heads).split('|'), ...rows]).join('\n');
}
