import { LandfallError } from '#contract/errors.ts';
import { installedMark, siteFile } from '#contract/server-paths.ts';
import type { Site } from '#contract/site/site.ts';
import { safeUrl } from '#http/safe-url.ts';
import { readText } from '../host/files.ts';
import type { Context } from '../stage/stage.ts';
import { type Unreachable, unreachableArchives } from './archives.ts';
import { type Destination, destinations } from './destinations.ts';
import { probe } from './probe.ts';

/**
 * Proves that everything can be fetched that the stages to come will fetch, by fetching a little of
 * it. On a server that came up before, what cannot is no more than a warning.
 * @throws LandfallError ROUTE_BLOCKED with every place and the choices
 */
export async function provePrecondition(context: Context): Promise<void> {
  const { host, site, release, report } = context;
  report.say('trying the way out');
  const [archives, places] = await Promise.all([
    unreachableArchives(context),
    host.outside.measure(() => unreachable(site, destinations(release, site))),
  ]);
  const problems = [...archives, ...places];
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

async function unreachable(site: Site, places: readonly Destination[]): Promise<Unreachable[]> {
  const reached = await Promise.all(
    places.map(async ({ what, urls }) => ({ what, answers: await probe(site, urls) })),
  );
  return reached
    .filter(({ answers }) => answers.every(({ failure }) => failure !== undefined))
    .map(({ what, answers }) => ({
      subject: what,
      message: `${what}: ${answers.map(({ failure }) => failure?.message).join('; ')}`,
      hint: answers[0]?.failure?.hint,
    }));
}

function blocked({ route }: Site): string {
  if (route.mode === 'direct') return 'what this server needs cannot be reached directly';
  return `what this server needs cannot be reached through ${safeUrl(new URL(route.url))}`;
}

/** The options of SPEC 1.1 as far as a site can name them, written as both JSON and YAML take them. */
function choices({ route }: Site): string {
  const ways = [
    route.mode === 'direct'
      ? '"route": {"mode": "http-proxy", "url": "http://host:port"} or {"mode": "socks5", "url": "socks5h://host:port"}'
      : 'another route, or the same one once its proxy lets this server through',
    'mirrors.apt and mirrors.apt_security for packages, mirrors.registries for images, mirrors.files for the rest',
    'a full bundle, which fetches packages only',
  ];
  return `Choose a way and write it into /${siteFile} here, or make new user-data: ${ways.join('; ')}.`;
}
