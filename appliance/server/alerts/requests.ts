import { createHmac } from 'node:crypto';
import { LandfallError } from '#contract/errors.ts';
import type { AlertSecretPart } from '#contract/site/alerts/secret-names.ts';
import type { AlertTarget } from '#contract/site/alerts/targets.ts';
import { isExempt } from '#http/no-proxy.ts';
import type { Message } from './message.ts';

/** The secrets of a target by their part. */
export type TargetSecrets = Readonly<Partial<Record<AlertSecretPart, string>>>;

/** A target that receives HTTP requests. */
export type HttpTarget = Exclude<AlertTarget, { kind: 'smtp' }>;

/** The request that delivers a message. The URL and the headers contain secrets. */
interface AlertRequest {
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly payload: object;
}

/**
 * Returns the request in the format of the target's vendor.
 * @throws LandfallError ALERT_FAILED for an invalid URL or token
 */
export function alertRequest(
  target: HttpTarget,
  secrets: TargetSecrets,
  message: Message,
  now: Date,
): AlertRequest {
  const { title, text, server, alerts } = message;
  if (target.kind === 'telegram') {
    const payload = { chat_id: target.chat, text, link_preview_options: { is_disabled: true } };
    return { url: telegramUrl(target.api, secrets.token ?? ''), payload };
  }
  const url = checkUrl(secrets.url ?? '');
  switch (target.kind) {
    case 'webhook':
      return { url, payload: { product: 'landfall', server, title, text, alerts } };
    case 'slack':
      return { url, payload: { text: text.replaceAll('&', '&amp;') } };
    case 'discord':
      return { url, payload: { content: text, allowed_mentions: { parse: [] } } };
    case 'feishu': {
      const signature = secrets.sign === undefined ? {} : feishuSignature(secrets.sign, now);
      return { url, payload: { ...signature, msg_type: 'text', content: { text } } };
    }
    case 'dingtalk': {
      const signed = secrets.sign === undefined ? url : dingtalkSigned(url, secrets.sign, now);
      return { url: signed, payload: { msgtype: 'text', text: { content: text } } };
    }
    case 'wecom':
      return { url, payload: { msgtype: 'text', text: { content: text } } };
    case 'serverchan':
      return { url, payload: serverChanPayload(message) };
    // https://bark.day.app/#/tutorial
    case 'bark':
      return { url, payload: { title, body: text } };
    // https://www.pushplus.plus/doc/guide/api.html
    case 'pushplus':
      return { url, payload: { title, content: text, template: 'txt' } };
    case 'ntfy':
      return ntfyRequest(url, secrets.token, message);
  }
}

/** https://core.telegram.org/bots/api#making-requests */
function telegramUrl(api: string, token: string): URL {
  if (!/^[0-9]{1,20}:[A-Za-z0-9_-]{1,128}$/.test(token)) {
    throw new LandfallError('ALERT_FAILED', 'the token of the Telegram bot is invalid', {
      hint: {
        en: 'Set the token that @BotFather shows, such as 123456:ABC…',
        zh: '填写 @BotFather 显示的令牌，例如 123456:ABC…',
      },
      retriable: false,
    });
  }
  return checkUrl(`${api.replace(/\/$/, '')}/bot${token}/sendMessage`);
}

/** The text is Markdown, which joins lines. https://sct.ftqq.com/sendkey */
function serverChanPayload({ title, text }: Message) {
  return {
    title: [...title].slice(0, maxServerChanTitle).join(''),
    desp: text.replaceAll('\n', '\n\n'),
  };
}

/** Characters. */
const maxServerChanTitle = 32;

/** Publishes as JSON to the base URL. https://docs.ntfy.sh/publish/#publish-as-json */
function ntfyRequest(url: URL, token: string | undefined, message: Message): AlertRequest {
  const [, base = '/', topic = ''] = /^(.*\/)([^/]+)\/?$/.exec(url.pathname) ?? [];
  const isFailure = message.alerts.some(({ state }) => state === 'failed');
  return {
    url: new URL(base, url.origin),
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    payload: {
      topic,
      title: message.title,
      message: message.text,
      priority: isFailure ? 4 : 3,
      tags: [isFailure ? 'warning' : 'white_check_mark'],
    },
  };
}

/**
 * Signs a message to a Feishu robot: the HMAC of an empty text with `timestamp\nsecret` as its key. The
 * timestamp is in seconds.
 * https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot
 */
function feishuSignature(secret: string, now: Date) {
  const timestamp = `${Math.floor(now.getTime() / 1000)}`;
  const sign = createHmac('sha256', `${timestamp}\n${secret}`).digest('base64');
  return { timestamp, sign };
}

/**
 * Returns the URL of a DingTalk robot with its signature: the HMAC of `timestamp\nsecret` with the
 * secret as its key. The timestamp is in milliseconds.
 * https://open.dingtalk.com/document/robots/customize-robot-security-settings
 */
function dingtalkSigned(url: URL, secret: string, now: Date): URL {
  const timestamp = `${now.getTime()}`;
  const sign = createHmac('sha256', secret).update(`${timestamp}\n${secret}`).digest('base64');
  const signed = new URL(url);
  signed.searchParams.set('timestamp', timestamp);
  signed.searchParams.set('sign', sign);
  return signed;
}

/** Hosts that are reached without the internet, where http is allowed. */
const local =
  'localhost,127.0.0.0/8,::1,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,fc00::/7,.local,.internal,.lan';

/**
 * Parses the URL of an alert target. It contains a secret, so it must be https outside of private
 * networks, and errors do not contain it.
 * @throws LandfallError ALERT_FAILED
 */
export function checkUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isExempt(url, local));
  if (url !== undefined && isSafe && `${url.username}${url.password}${url.hash}` === '') return url;
  throw new LandfallError('ALERT_FAILED', 'the URL of the alert target is invalid', {
    hint: {
      en: 'Set an https URL without user, password and fragment; http is allowed in private networks only.',
      zh: '填写不带用户名、密码和片段的 https 地址；只有内网可用 http。',
    },
    retriable: false,
  });
}
