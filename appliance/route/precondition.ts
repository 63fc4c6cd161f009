import { LandfallError } from '#contract/errors.ts';
import { installedMark, siteFile } from '#contract/server-paths.ts';
import { effectiveRoute } from '#contract/site/network/effective-route.ts';
import type { Site } from '#contract/site/site.ts';
import { safeUrl } from '#http/safe-url.ts';
import { readText } from '../host/files.ts';
import type { Context } from '../stage/stage.ts';
import { probeArchives } from './archives.ts';
import { probeDestinations } from './probe-destinations.ts';

/**
 * Verifies that all downloads of later stages can be reached. On an installed server, failures are
 * warnings.
 * @throws LandfallError ROUTE_BLOCKED with each destination that failed and the options
 */
export async function provePrecondition(context: Context): Promise<void> {
  const { host, site, release, report } = context;
  report.say('checking network access');
  const probed = await Promise.all([
    probeArchives(context),
    host.outside.measure(() => probeDestinations(site, release)),
  ]);
  const problems = probed
    .flat()
    .flatMap(({ subject, failure }) => (failure === undefined ? [] : [{ subject, ...failure }]));
  if (problems.length === 0) return;
  if ((await readText(host, installedMark)) !== undefined) {
    for (const { subject, message } of problems) {
      report.warn({ kind: 'route', subject, text: message });
    }
    return;
  }
  throw new LandfallError('ROUTE_BLOCKED', blocked(site), {
    hint: choices(site),
    problems: problems.map(({ message, hint }) => ({ message, hint })),
  });
}

function blocked(site: Site): string {
  if (site.route.mode === 'client')
    return 'required hosts cannot be reached through the proxy client';
  const route = effectiveRoute(site, 'host');
  if (route.mode === 'direct') return 'required hosts cannot be reached directly';
  return `required hosts cannot be reached through ${safeUrl(new URL(route.url))}`;
}

/** Describes the options of SPEC 1.1 that a site can set, in a syntax valid in JSON and YAML. */
function choices({ route }: Site): string {
  const options = [
    route.mode === 'direct'
      ? '"route": {"mode": "http-proxy", "url": "http://host:port"} or {"mode": "socks5", "url": "socks5h://host:port"}'
      : 'another route, or the same proxy after it allows this server',
    'mirrors.apt and mirrors.apt_security for packages, mirrors.registries for images, mirrors.files for the rest',
    'a full bundle, which fetches packages only',
  ];
  return `Set one of these in /${siteFile}, or create new user-data: ${options.join('; ')}.`;
}
