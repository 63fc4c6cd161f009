import type { NetworkOptions } from '#http/options.ts';
import { post } from '#http/post.ts';
import type { Message } from './message.ts';
import { judgeReply } from './replies.ts';
import { alertRequest, type HttpTarget, type TargetSecrets } from './requests.ts';

/** Milliseconds for one message. */
const usualTimeout = 30_000;
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
  { now = new Date(), timeout = usualTimeout } = {},
): Promise<void> {
  const { url, headers, payload } = alertRequest(target, secrets, message, now);
  const reply = await post(network, {
    url,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(payload),
    timeout,
    maxBytes: maxReply,
  });
  judgeReply(target.kind, url, reply, now);
}
