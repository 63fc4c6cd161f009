import { rowOfCode } from '#contract/error-codes.ts';
import { LandfallError } from '#contract/errors.ts';
import {
  type MirrorPresetName,
  mirrorPresetNames,
  mirrorPresets,
} from '#contract/mirror-presets.ts';
import { parseModelMirror } from '#contract/site/model-mirror.ts';
import type { Site } from '#contract/site/site.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { alignRows } from '#contract/text/table.ts';
import type { ProxyServer } from '#http/proxy.ts';
import { type ProxyChoice, proxyChooser } from './choose-proxy.ts';
import type { Attempt } from './exchange/attempt.ts';
import { type ProbeNetwork, type Route, systemNetwork } from './exchange/network.ts';
import { send } from './exchange/send.ts';

/** Options of `landfall probe mirrors`, on both command lines. */
export interface MirrorFlags {
  readonly preset?: MirrorPresetName;
  readonly proxy?: string;
  readonly json?: boolean;
}

interface MirrorInputs extends Omit<ProxyChoice, 'option'> {
  /** The mirrors of the site. */
  readonly mirrors: Site['mirrors'] | undefined;
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
  const targets = mirrors === undefined ? [] : mirrorTargets(mirrors);
  if (targets.length === 0) {
    throw new LandfallError('USAGE', 'there is no mirror to test: the site has none', {
      hint: `Add mirrors to the site, or test a preset: landfall probe mirrors --preset ${mirrorPresetNames[0]}`,
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

/** A mirror, and requests that it answers if it works: one of them suffices. */
interface MirrorTarget {
  /** The field of the site, such as `mirrors.registries.docker.io`. */
  readonly field: string;
  readonly urls: readonly URL[];
  /** A registry answers 401 to a request without a token. */
  readonly statuses: readonly number[];
}

/** Returns what to request from each mirror of a site, in the order of its fields. */
export function mirrorTargets(mirrors: Site['mirrors']): MirrorTarget[] {
  const { apt, apt_security: security, registries, models, hub, npm, pip } = mirrors;
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
    ...Object.entries(registries).flatMap(([host, url]) =>
      target(`registries.${host}`, url, ['/v2/'], [200, 401]),
    ),
    ...target(
      'models',
      model && `${model.insecure ? 'http' : 'https'}://${model.host}`,
      ['/v2/'],
      [200, 401],
    ),
    ...target('hub', hub, ['/api/models?limit=1']),
    ...target('npm', npm, ['/-/ping']),
    ...target('pip', pip, ['/pip/']),
  ];
}

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
  { field, urls, statuses }: MirrorTarget,
  routeTo: (url: URL) => Route,
  route: MirrorReport['route'],
  network: ProbeNetwork,
): Promise<MirrorReport> {
  const failed: MirrorReport[] = [];
  for (const url of urls) {
    const { attempt } = await send({ url }, routeTo(url), network);
    const { status } = attempt;
    const reason = reasonOf(attempt, statuses);
    const found = { field, url: url.href, route, ...(status === undefined ? {} : { status }) };
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
  if (failure !== undefined) return failure.reason;
  return statuses.includes(status) || (status >= 300 && status < 400)
    ? undefined
    : `status ${status}`;
}

/** Formats reports as a table, one line per mirror. */
function mirrorTable(reports: readonly MirrorReport[]): string {
  const rows = reports.map(({ field, url, works, route, status, reason }) => [
    field,
    plainLine(new URL(url).host, 64),
    works
      ? `works${route === 'proxy' ? ' through the proxy' : ''} (status ${status})`
      : `FAILED: ${reason}`,
  ]);
  return alignRows([['field', 'mirror', 'result'], ...rows]).join('\n');
}
