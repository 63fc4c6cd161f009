import { LandfallError } from '#contract/errors.ts';
import { installedMark } from '#contract/server-paths.ts';
import { effectiveRoute } from '#contract/site/network/effective-route.ts';
import type { Site } from '#contract/site/site.ts';
import { inLanguage, type Text } from '#contract/text/language.ts';
import { safeUrl } from '#http/safe-url.ts';
import { readText } from '../../server/host/files.ts';
import { missingPackages } from '../../server/host/packages/apt.ts';
import { checkMeasures, type Measure, serviceMeasure } from '../../server/stage/measure.ts';
import type { Context, Stage } from '../../server/stage/stage.ts';
import { captureMeasure } from './capture/state.ts';
import { causeOf } from './check/describe.ts';
import { clientMeasure, formerClientMeasure } from './client/client.ts';
import { dnsMeasure } from './dns/dns.ts';
import { localProxyMeasure, localProxyService } from './local-proxy/local-proxy.ts';
import { probeArchives, probeDestinations, warnOfProviders } from './probe-destinations.ts';
import { redirectMeasure } from './redirect/redirect.ts';
import { aptProxy, routeSettings } from './route-settings.ts';
import { socksMeasure, socksService } from './socks/socks.ts';
import { sourcesMeasure } from './sources-files.ts';
import { routeTimer } from './timer.ts';
import { trustMeasure } from './trust/system-trust.ts';

/** The proxies and mirrors of the site, in the order in which they come into effect. */
const measures: readonly Measure[] = [
  dnsMeasure,
  captureMeasure,
  // Before the settings: they name the address of the client.
  clientMeasure,
  serviceMeasure(routeSettings, proveAptProxy),
  formerClientMeasure,
  sourcesMeasure,
  // Packages of the archive: report an unreachable archive with the options of the site.
  { check: async () => [], apply: proveArchives },
  trustMeasure,
  localProxyMeasure,
  redirectMeasure,
  socksMeasure,
];

/** Applies the route and the mirrors of the site before any download. */
export const routeStage: Stage = {
  name: 'route',
  title: 'route: proxies, mirrors and DNS servers of this server',
  check: (context) => checkMeasures([...measures, timer], context),
  apply: async (context) => {
    for (const measure of [...measures, timer]) await measure.apply(context);
  },
  prove: async (context) => {
    for (const measure of measures) await measure.prove?.(context);
    await provePrecondition(context);
    if (context.site.route.mode === 'socks5') {
      context.report.warn({
        kind: 'route',
        subject: 'socks5',
        text: {
          en: 'the SOCKS5 proxy serves packages, Docker, the inference engine, the relay and, as an HTTP proxy at 127.0.0.1:7890, the programs of this server; other containers have no proxy',
          zh: 'SOCKS5 代理用于软件包、Docker、推理引擎和中继，并作为 127.0.0.1:7890 的 HTTP 代理供这台服务器的程序使用；其他容器没有代理',
        },
      });
    }
    await warnOfProviders(context);
  },
};

const timer = serviceMeasure(() => routeTimer);

/** Returns the changes that bring the proxy and the mirrors of the site into effect. */
export async function routeChanges(context: Context): Promise<string[]> {
  return await checkMeasures(measures, context);
}

async function proveArchives(context: Context): Promise<void> {
  const services = [await localProxyService(context), await socksService(context)];
  const packages = services
    .filter(({ unwanted }) => unwanted === undefined)
    .flatMap((service) => service.packages ?? []);
  if (packages.length === 0) return;
  if ((await missingPackages(context.host, packages)).length > 0) await provePrecondition(context);
}

/** A later file may override the proxy: apt uses the last value. */
async function proveAptProxy({ host, site }: Context): Promise<void> {
  const proxy = aptProxy(site);
  if (proxy === undefined) return;
  const { stdout } = await host.run('apt-config', ['dump', '--format', '%v%n', proxyName]);
  if (stdout.split('\n')[0] === proxy.proxy) return;
  throw new LandfallError('ROUTE_BLOCKED', 'apt does not use the proxy of the site', {
    hint: {
      en: `Another file in /etc/apt/apt.conf.d sets ${proxyName}. Remove it, or set that proxy as the route of the site.`,
      zh: `/etc/apt/apt.conf.d 中有其他文件设置了 ${proxyName}。请删除它，或把那个代理设为站点的线路。`,
    },
    retriable: false,
  });
}

const proxyName = 'Acquire::http::Proxy';

/**
 * Verifies that all downloads of later stages can be reached. On an installed server, failures are
 * warnings.
 * @throws LandfallError ROUTE_BLOCKED with each destination that failed and the options
 */
export async function provePrecondition(context: Context): Promise<void> {
  const { host, site, release, report } = context;
  report.say(inLanguage({ en: 'checking network access', zh: '检查网络访问' }));
  const probed = await Promise.all([
    probeArchives(context),
    host.outside.measure(() => probeDestinations(site, release)),
  ]);
  const problems = probed
    .flat()
    .filter(({ failure }) => failure !== undefined)
    .map(({ subject, title, failure, code, hint }) => ({
      ...{ subject, hint },
      text: {
        en: `${subject}: ${failure}`,
        zh: `${title?.zh ?? subject}：${causeOf({ cause: failure, code }, 'zh')}`,
      },
    }));
  if (problems.length === 0) return;
  if ((await readText(host, installedMark)) !== undefined) {
    for (const { subject, text } of problems) {
      report.warn({ kind: 'route', subject, text });
    }
    return;
  }
  throw new LandfallError('ROUTE_BLOCKED', blocked(site), {
    hint: choices(site),
    problems: problems.map(({ text, hint }) => ({ message: inLanguage(text), hint })),
  });
}

function blocked(site: Site): string {
  if (site.route.mode === 'client')
    return 'required hosts cannot be reached through the proxy client';
  const route = effectiveRoute(site, 'host');
  if (route.mode === 'direct') return 'required hosts cannot be reached directly';
  return `required hosts cannot be reached through ${safeUrl(new URL(route.url))}`;
}

/** Describes the options of SPEC 1.1 that a site can set. */
function choices({ route }: Site): Text {
  const [proxy, other] = [
    'route: { mode: http-proxy, url: http://host:port }',
    '{ mode: socks5, url: socks5h://host:port }',
  ];
  const routes =
    route.mode === 'direct'
      ? { en: `${proxy} or ${other}`, zh: `${proxy} 或 ${other}` }
      : {
          en: 'another route, or the same proxy after it allows this server',
          zh: '换一条线路，或让原来的代理放行这台服务器',
        };
  return {
    en: `Set one of these with \`sudo landfall site edit\`, or create new user-data: ${routes.en}; mirrors.apt and mirrors.apt_security for packages, mirrors.registries for images, mirrors.files for the rest; a full bundle, which fetches packages only.`,
    zh: `用 \`sudo landfall site edit\` 设置其中一项，或重新生成 user-data：${routes.zh}；软件包用 mirrors.apt 和 mirrors.apt_security，镜像用 mirrors.registries，其余用 mirrors.files；或使用完整发布包，它只下载软件包。`,
  };
}
