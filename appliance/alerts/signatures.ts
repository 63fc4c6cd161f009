import { createHmac } from 'node:crypto';

/** The fields of a signed message to a Feishu robot. */
interface FeishuSignature {
  /** Seconds since 1970. */
  readonly timestamp: string;
  readonly sign: string;
}

/**
 * Signs a message to a Feishu robot: the HMAC of an empty text with `timestamp\nsecret` as its key.
 * https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot
 */
export function feishuSignature(secret: string, now: Date): FeishuSignature {
  const timestamp = `${Math.floor(now.getTime() / 1000)}`;
  const sign = createHmac('sha256', `${timestamp}\n${secret}`).digest('base64');
  return { timestamp, sign };
}

/**
 * Returns the URL of a DingTalk robot with its signature: the HMAC of `timestamp\nsecret` with the
 * secret as its key. The timestamp is in milliseconds.
 * https://open.dingtalk.com/document/robots/customize-robot-security-settings
 */
export function dingtalkSigned(url: URL, secret: string, now: Date): URL {
  const timestamp = `${now.getTime()}`;
  const sign = createHmac('sha256', secret).update(`${timestamp}\n${secret}`).digest('base64');
  const signed = new URL(url);
  signed.searchParams.set('timestamp', timestamp);
  signed.searchParams.set('sign', sign);
  return signed;
}
