import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { LandfallError, type Problem } from '#contract/errors.ts';
import type { Site } from '#contract/site/site.ts';
import { releaseFolders } from '#contract/site/urls.ts';
import { inLanguage, type Text } from '#contract/text/language.ts';
import { formatTime } from '#contract/text/time-zone.ts';
import { routeEnvironment } from '../../server/host/download/route-environment.ts';
import type { Host } from '../../server/host/host.ts';
import type { Context } from '../../server/stage/stage.ts';

/** Smaller errors of the clock are ignored. Milliseconds. */
const tolerance = 5 * 60 * 1000;
/** A clock that is further ahead rejects valid certificates. Milliseconds. */
const harmful = 24 * 3600 * 1000;
/** Time hints further than this after the release date are rejected as implausible. Milliseconds. */
const maxAhead = 5 * 365 * 24 * 3600 * 1000;

/**
 * Returns the time to set the clock to, or undefined if the clock is correct. The release is signed,
 * so the present time is later than `created`. Times from the network are untrusted and only accepted
 * within bounds. One is enough to set the clock forward; all must agree to set it back.
 * @param hints times reported by servers, in milliseconds since 1970
 */
export function correctedTime(
  now: number,
  { created, hints }: { readonly created: number; readonly hints: readonly number[] },
): number | undefined {
  const sane = hints.filter((hint) => hint >= created && hint <= created + maxAhead);
  // The earliest hint limits the effect of a wrong clock on another server.
  const forwards = sane.length > 0 ? Math.min(...sane) : created;
  if (forwards - now > tolerance) return forwards;
  const back = Math.max(...sane);
  const isUnanimous = sane.length > 0 && sane.length === hints.length;
  return isUnanimous && now - back > tolerance ? back : undefined;
}

/** Describes the correction of the clock, if one is needed. */
export async function describeClock(context: Context): Promise<string[]> {
  const time = await timeToSet(context);
  if (time === undefined) return [];
  const direction = time > Date.now() ? { en: 'forward', zh: '快' } : { en: 'back', zh: '慢' };
  const to = formatTime(new Date(time));
  return [
    inLanguage({
      en: `set the clock ${direction.en} to ${to}`,
      zh: `把时钟调${direction.zh}到 ${to}`,
    }),
  ];
}

/** Corrects the clock: with a wrong one, TLS rejects valid certificates. */
export async function correctClock(context: Context): Promise<void> {
  const { host, report } = context;
  const time = await timeToSet(context);
  if (time === undefined) return;
  const was = time > Date.now() ? { en: 'behind', zh: '慢' } : { en: 'ahead', zh: '快' };
  await setClock(host, time);
  const now = formatTime(new Date(time));
  const text = {
    en: `the clock was ${was.en} and was set to ${now}`,
    zh: `时钟${was.zh}了，已设为 ${now}`,
  };
  report.warn({ kind: 'clock', subject: 'system clock', text });
}

const setByPython = 'import sys, time; time.clock_settime(time.CLOCK_REALTIME, int(sys.argv[1]))';

/**
 * Sets the clock and reads it back. Uses Python, which the bootstrap needs too, because date(1) of
 * uutils has parsed times wrongly several times.
 * @throws LandfallError SERVER_UNFIT, COMMAND_FAILED
 */
async function setClock(host: Host, time: number): Promise<void> {
  await host.run('python3', ['-c', setByPython, `${Math.floor(time / 1000)}`]);
  const now = Date.now();
  if (Math.abs(now - time) <= tolerance) return;
  const times = [now, time].map((each) => formatTime(new Date(each)));
  throw new LandfallError(
    'SERVER_UNFIT',
    `the clock cannot be set: ${times[0]} instead of ${times[1]}`,
    {
      hint: 'Set the clock with `date --set`, or enable NTP with `timedatectl set-ntp true`.',
    },
  );
}

/** Reports a wrong clock that cannot be set, as in a container. */
export async function checkClock(context: Context): Promise<Problem[]> {
  const [now, created] = [Date.now(), Date.parse(context.release.created)];
  if (created - now > tolerance)
    return [wrong(now, { en: 'which is before the release date', zh: '早于版本的发布日期' })];
  if (context.server.container === undefined) return [];
  const time = await rightTime(context);
  if (time === undefined || now - time <= harmful) return [];
  const right = formatTime(new Date(time));
  const because = {
    en: `but the download sources report ${right}`,
    zh: `而下载源报告的是 ${right}`,
  };
  return [wrong(now, because)];
}

function wrong(now: number, because: Text): Problem {
  const shown = formatTime(new Date(now));
  return {
    message: inLanguage({
      en: `the clock is wrong: it shows ${shown}, ${because.en}`,
      zh: `时钟不准：它显示 ${shown}，${because.zh}`,
    }),
    hint: inLanguage({
      en: 'Set the clock with `date --set`; for a container, set it on the host.',
      zh: '用 `date --set` 校准时钟；容器请在宿主机上校准。',
    }),
  };
}

/** In a container the clock belongs to the host. */
async function timeToSet(context: Context): Promise<number | undefined> {
  return context.server.container === undefined ? await rightTime(context) : undefined;
}

/** Trusts a clock that is synchronised by NTP; asks the download sources otherwise. */
async function rightTime({ host, release, site }: Context): Promise<number | undefined> {
  const { stdout } = await host.run(
    'timedatectl',
    ['show', '--property=NTPSynchronized', '--value'],
    { accept: [1] },
  );
  if (stdout.trim() === 'yes') return undefined;
  const hints = await host.outside.measure(() => dateHints(site));
  return correctedTime(Date.now(), { created: Date.parse(release.created), hints });
}

const timeout = 8000;

/**
 * Returns the times that the download sources of the release report, in milliseconds since 1970.
 * Sources that do not respond are left out. The times are untrusted: certificates are not verified,
 * because a wrong clock would reject them.
 */
export async function dateHints(site: Pick<Site, 'release' | 'route'>): Promise<number[]> {
  // Node does not support SOCKS, and a hint does not justify another client.
  if (site.route.mode === 'socks5') return [];
  // The proxy client does not run yet: the bootstrap downloads the bundle directly, or it is pushed.
  if (site.route.mode === 'client') return await dateHints({ ...site, route: { mode: 'direct' } });
  const proxyEnv = { ...routeEnvironment(site, 'host') };
  const answers = await Promise.all(
    releaseFolders(site).map((url) => requestDate(new URL(url), proxyEnv)),
  );
  return answers.filter((time) => time !== undefined);
}

function requestDate(url: URL, proxyEnv: NodeJS.ProcessEnv): Promise<number | undefined> {
  const options = { method: 'HEAD', signal: AbortSignal.timeout(timeout) };
  return new Promise((resolve) => {
    const request =
      url.protocol === 'https:'
        ? httpsRequest(url, {
            ...options,
            rejectUnauthorized: false,
            agent: new HttpsAgent({ proxyEnv }),
          })
        : httpRequest(url, { ...options, agent: new HttpAgent({ proxyEnv }) });
    request
      .on('response', ({ headers }) => {
        const time = Date.parse(headers.date ?? '');
        resolve(Number.isNaN(time) ? undefined : time);
        request.destroy();
      })
      .on('error', () => resolve(undefined))
      .end();
  });
}
