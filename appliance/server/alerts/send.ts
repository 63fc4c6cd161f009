import { isNetworkError } from '#contract/errors.ts';
import type { AlertTarget } from '#contract/site/alerts/targets.ts';
import type { Site } from '#contract/site/site.ts';
import { parseJson } from '#contract/text/json.ts';
import { HttpClient, type HttpResponse, type NetworkOptions } from '#http/client.ts';
import { readRetryAfter } from '#http/status.ts';
import { TransferError } from '#http/transfer-error.ts';
import { networkOptions } from '../host/download/download.ts';
import type { Host } from '../host/host.ts';
import type { Message } from './message.ts';
import { alertRequest, type HttpTarget, type TargetSecrets } from './requests.ts';
import { targetSecrets } from './secrets.ts';
import { sendMail } from './send-mail.ts';

/** How a message was sent: over the route of the site, or without its proxy. */
export type Via = 'route' | 'direct';

/**
 * Sends a message to a target over the site's route. If the network fails and the target allows it,
 * the message is sent again without the proxy.
 * @throws LandfallError ALERT_FAILED, HTTP_STATUS, HTTP_REDIRECT, NETWORK_…
 */
export async function sendMessage(
  host: Host,
  site: Pick<Site, 'route' | 'ca'>,
  target: AlertTarget,
  message: Message,
): Promise<Via> {
  const secrets = await targetSecrets(host, target);
  const send = (network: NetworkOptions) =>
    host.outside.measure(() =>
      target.kind === 'smtp'
        ? sendMail(target, secrets.password, message, network)
        : sendHttp(target, secrets, message, network),
    );
  try {
    await send(networkOptions(site));
    return 'route';
  } catch (error) {
    const mayBypass = target.direct && site.route.mode !== 'direct';
    if (!mayBypass || !isNetworkError(error)) throw error;
  }
  await send(networkOptions({ ...site, route: { mode: 'direct' } }));
  return 'direct';
}

/** Milliseconds for one message. */
const defaultTimeout = 30_000;
/** Bytes of a response to read. The vendors respond with less than 1 KiB. */
const maxReply = 16 * 1024;

/**
 * Sends a message to a target over HTTP.
 * @throws LandfallError ALERT_FAILED, HTTP_STATUS, HTTP_REDIRECT, NETWORK_…
 */
export async function sendHttp(
  target: HttpTarget,
  secrets: TargetSecrets,
  message: Message,
  network: NetworkOptions,
  { now = new Date(), timeout = defaultTimeout } = {},
): Promise<void> {
  const { url, headers, payload } = alertRequest(target, secrets, message, now);
  await using client = new HttpClient(network);
  const reply = await client.send({
    ...{ url, method: 'POST', timeout, body: JSON.stringify(payload) },
    headers: { 'content-type': 'application/json', ...headers },
  });
  checkReply(target.kind, reply, await reply.text(maxReply), now);
}

/** Longest accepted Retry-After: a day, in milliseconds. */
const maxWait = 24 * 3600 * 1000;

/** The result that a vendor reports in the body, besides the status. */
interface Verdict {
  readonly accepted: boolean;
  /** The vendor's error number. */
  readonly code?: number | undefined;
  /** Seconds until the next attempt. */
  readonly wait?: number | undefined;
}

type Body = Readonly<Record<string, unknown>>;

/** Vendors that respond with status 200 to rejected messages. Others report the status only. */
const verdicts: Readonly<Partial<Record<HttpTarget['kind'], (body: Body) => Verdict>>> = {
  feishu: ({ code, StatusCode }) => byNumber(code ?? StatusCode),
  dingtalk: ({ errcode }) => byNumber(errcode),
  wecom: ({ errcode }) => byNumber(errcode),
  serverchan: ({ code }) => byNumber(code),
  bark: ({ code }) => byNumber(code, 200),
  pushplus: ({ code }) => byNumber(code, 200),
  telegram: ({ ok, error_code, parameters }) => ({
    accepted: ok === true,
    code: asNumber(error_code),
    wait: asNumber((parameters as { retry_after?: unknown } | undefined)?.retry_after),
  }),
};

/** Error numbers that mean rate-limited. */
const limited: Readonly<Record<string, readonly number[]>> = {
  feishu: [11232],
  dingtalk: [130101, 410100],
  wecom: [45009, 45033],
  // Until the next day.
  pushplus: [900],
};

const setUrl = 'Copy the URL again, and set it with `sudo landfall secret set`.';

/** Hints by error number or HTTP status, as the vendors document them. */
const hints: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  feishu: {
    19021: 'Set the signing secret of the robot, and check the clock of the server.',
    19022: 'Allow the public address of the server in the settings of the robot.',
    19024: 'Add the keyword Landfall to the robot.',
  },
  dingtalk: {
    310000:
      'Add the keyword Landfall to the robot, set its signing secret, or allow the public address of the server.',
    300001: setUrl,
  },
  wecom: { 93000: setUrl },
  pushplus: { 903: setUrl, 905: 'Verify your identity at PushPlus.' },
  telegram: {
    400: 'Check `chat` in the site, and send a message to the bot first.',
    401: 'Set the token that @BotFather shows.',
    403: 'Add the bot to the chat.',
    404: 'Set the token that @BotFather shows.',
  },
};

/**
 * Verifies the response to a message. Errors contain the status and the vendor's error number, but
 * no text of the response, because a receiver may repeat a secret in it.
 * @throws TransferError HTTP_REDIRECT, HTTP_STATUS; ALERT_FAILED if the vendor rejected the message
 */
function checkReply(
  kind: HttpTarget['kind'],
  { status, url, header }: HttpResponse,
  text: string,
  now: Date,
): void {
  if (status >= 300 && status < 400) {
    throw new TransferError('HTTP_REDIRECT', `${url.host} redirects, which is not followed`, {
      hint: {
        en: 'Set the final URL; a redirect would pass the secret to another host.',
        zh: '填写最终的地址；重定向会把机密交给别的主机。',
      },
      transient: false,
    });
  }
  const verdict = verdicts[kind]?.(bodyOf(text));
  const isOk = status >= 200 && status < 300;
  if (isOk && (verdict?.accepted ?? true)) return;
  const code = verdict?.code;
  const isLimited = status === 429 || (limited[kind] ?? []).includes(code ?? -1);
  const retryAfter = readRetryAfter(header('retry-after'), now.getTime());
  const wait = verdict?.wait === undefined ? retryAfter : verdict.wait * 1000;
  const what = isLimited
    ? `${url.host} rate-limited the message`
    : `${url.host} rejected the message`;
  const numbers =
    code === undefined || code === status ? `status ${status}` : `status ${status}, error ${code}`;
  throw new TransferError(isOk ? 'ALERT_FAILED' : 'HTTP_STATUS', `${what}: ${numbers}`, {
    hint: hints[kind]?.[code ?? status] ?? (isLimited || status >= 500 ? undefined : setUrl),
    retriable: isLimited || status >= 500,
    transient: false,
    status,
    retryAfterMs: wait === undefined ? undefined : Math.min(Math.max(0, wait), maxWait),
  });
}

function byNumber(value: unknown, success = 0): Verdict {
  return { accepted: value === success, code: asNumber(value) };
}

function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
}

function bodyOf(text: string): Body {
  const value = parseJson(text);
  return typeof value === 'object' && value !== null ? (value as Body) : {};
}
