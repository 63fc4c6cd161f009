import { isNetworkError } from '#contract/errors.ts';
import type { AlertTarget } from '#contract/site/alerts/targets.ts';
import type { Site } from '#contract/site/site.ts';
import type { NetworkOptions } from '#http/options.ts';
import { networkOptions } from '../host/download/download.ts';
import type { Host } from '../host/host.ts';
import type { Message } from './message.ts';
import { targetSecrets } from './secrets.ts';
import { sendHttp } from './send-http.ts';
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
