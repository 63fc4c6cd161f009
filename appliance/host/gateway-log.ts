import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { components } from '#contract/components.ts';
import { gatewayLogFile } from '#contract/server-paths.ts';
import { makeFolder } from './files.ts';
import type { Host } from './host.ts';

/** Who the gateway's processes are, in the container and so on the server: user and group. */
const gatewayUser = components.gateway.user;

/**
 * Makes the log that the gateway writes and fail2ban reads, empty, where there is none. The gateway
 * may write this one file and make no other; neither it nor fail2ban's jails start without it.
 */
export async function ensureGatewayLog(host: Host): Promise<void> {
  await makeFolder(host, dirname(gatewayLogFile), { mode: 0o755 });
  const log = await open(host.path(gatewayLogFile), 'a', 0o640);
  try {
    await log.chown(gatewayUser, gatewayUser);
  } finally {
    await log.close();
  }
}
