import { LandfallError } from '#contract/errors.ts';
import { inLanguage } from '#contract/text/language.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { HttpClient, type HttpResponse, type NetworkOptions } from '#http/client.ts';
import { withRetry } from '#http/retry.ts';
import { TransferError } from '#http/transfer-error.ts';
import { limits } from './model/settings.ts';
import { decode } from './protocols/link.ts';
import type { SubscriptionInfo } from './store.ts';

interface FetchOptions {
  readonly network: NetworkOptions;
  /** Receives one line per retry. */
  readonly note: (line: string) => void;
  /** Of the whole transfer, in milliseconds. */
  readonly timeout: number;
  /** The client that the provider sees. */
  readonly userAgent?: string | undefined;
}

/** Providers choose the format by names of clients in it. */
const defaultUserAgent = 'landfall (mihomo; clash.meta; sing-box)';

/**
 * Fetches a subscription. Redirects stay on https, and do not lead from a public host into the network
 * of this computer. Its path, query and login are secrets, so errors
 * name only the host.
 * @throws LandfallError USAGE for another URL than https; NETWORK_…, HTTP_STATUS, HTTP_REDIRECT,
 * BLOB_SIZE
 */
export async function fetchSubscription(
  text: string,
  { network, note, timeout, userAgent = defaultUserAgent }: FetchOptions,
): ReturnType<typeof fetchOnce> {
  const url = subscriptionUrl(text);
  if (!/^[\x21-\x7e][\x20-\x7e]{0,255}$/.test(userAgent)) {
    throw new LandfallError('USAGE', '--user-agent is not the name of a client', {
      hint: {
        en: 'Write, for example, --user-agent clash.meta',
        zh: '例如：--user-agent clash.meta',
      },
    });
  }
  const client = new HttpClient(network);
  const signal = AbortSignal.timeout(timeout);
  try {
    return await withRetry(
      `fetching from ${url.host}`,
      () => fetchOnce(client, { url, userAgent, signal }),
      {
        attempts: 3,
        signal,
        note,
      },
    );
  } catch (error) {
    if (!signal.aborted) throw error;
    const message = `${url.host} did not send the subscription in time`;
    throw new LandfallError('NETWORK_TIMEOUT', message, { hint: tryLater });
  } finally {
    await client.close();
  }
}

const tryLater = 'Try again later, or import the proxies from a file.';
/** Some providers answer only to clients that they know. */
export const otherClient = {
  en: 'If another client can use it, add --user-agent with the name of that client, such as clash.meta.',
  zh: '如果其他客户端可以使用，请加 --user-agent 和该客户端的名称，例如 clash.meta。',
} as const;

/** Returns the URL of a subscription. @throws LandfallError USAGE, without the URL */
function subscriptionUrl(text: string): URL {
  const url = text.length <= 4096 && URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'https:' && !/\s/.test(text)) return url;
  throw new LandfallError('USAGE', 'the subscription is not an https URL', {
    hint: {
      en: 'Use the URL that begins with https://; over http, others can read the proxies.',
      zh: '使用以 https:// 开头的地址；用 http 时别人能读到代理节点。',
    },
  });
}

interface Request {
  readonly url: URL;
  readonly userAgent: string;
  readonly signal: AbortSignal;
}

async function fetchOnce(client: HttpClient, { url, userAgent, signal }: Request) {
  try {
    const response = await client.send({
      url,
      headers: { 'user-agent': userAgent, accept: '*/*' },
      staysPublic: true,
      ...(url.username ? { authorization: loginOf(url) } : {}),
      signal,
    });
    if (response.status !== 200) throw await statusFailure(response, url.host);
    return { bytes: await response.bytes(limits.bytes), info: readSubscriptionInfo(response) };
  } catch (error) {
    throw withoutPath(error, url.host);
  }
}

async function statusFailure(response: HttpResponse, host: string): Promise<TransferError> {
  await response.discard();
  const { status } = response;
  const transient = status >= 500 || status === 429;
  const hint = transient
    ? tryLater
    : `Copy the URL of the subscription from the page of the provider again; it may have expired. ${inLanguage(otherClient)}`;
  const message = `${host} responded with status ${status}`;
  return new TransferError('HTTP_STATUS', message, { hint, transient, status });
}

/** The messages of these errors contain the path of the URL, which is a secret. */
function withoutPath(error: unknown, host: string): unknown {
  const code = error instanceof LandfallError ? error.code : undefined;
  if (code === 'HTTP_REDIRECT') {
    const message = `redirect rejected: ${host} leaves https or the public internet, or redirects too often`;
    const hint = 'Copy the URL of the subscription from the page of the provider again.';
    return new LandfallError(code, message, { hint });
  }
  if (code !== 'BLOB_SIZE') return error;
  const message = `the subscription of ${host} is larger than ${limits.bytes} bytes`;
  const hint = 'Check the URL; this is not a subscription.';
  return new LandfallError(code, message, { hint, retriable: false });
}

function loginOf({ username, password }: URL): string {
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(login).toString('base64')}`;
}

/**
 * Reads `subscription-userinfo`, `profile-update-interval` and `content-disposition`. Invalid values
 * count as not sent.
 */
export function readSubscriptionInfo(response: Pick<HttpResponse, 'header'>): SubscriptionInfo {
  const usage = new Map(
    (response.header('subscription-userinfo') ?? '')
      .split(';')
      .map((part) => part.split('=').map((text) => text.trim()))
      .map(([key = '', value = '']) => [key.toLowerCase(), wholeNumber(value)]),
  );
  const info = {
    upload: usage.get('upload'),
    download: usage.get('download'),
    total: usage.get('total') || undefined,
    expire: usage.get('expire') || undefined,
    updateInterval: wholeNumber(response.header('profile-update-interval') ?? '') || undefined,
    name: fileName(response.header('content-disposition') ?? '') || undefined,
  };
  return Object.fromEntries(Object.entries(info).filter(([, value]) => value !== undefined));
}

/** Parses digits; providers also send `1.5e9` and fractions. */
function wholeNumber(text: string): number | undefined {
  if (!/^\d{1,16}(?:\.\d{1,16})?(?:e\+?\d{1,2})?$/i.test(text.trim())) return undefined;
  const number = Math.floor(Number(text));
  return Number.isSafeInteger(number) ? number : undefined;
}

/** Returns the file name of RFC 6266, of which `filename*` is preferred. */
function fileName(header: string): string {
  const extended = /filename\*\s*=\s*UTF-8'[^']*'([^;]+)/i.exec(header)?.[1];
  const plain = /filename\s*=\s*(?:"([^"]*)"|([^;]+))/i.exec(header);
  const text = (extended ?? plain?.[1] ?? plain?.[2] ?? '').trim();
  return plainLine(decode(text) ?? text, 100);
}
