import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { components } from '#contract/components.ts';
import { gatewayLogFile, relayUsageFolder } from '#contract/server-paths.ts';
import { makeFolder } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';

/** UID and GID of the gateway's processes, the same in the container and on the server. */
const gatewayUser = components.gateway.user;

/**
 * Creates the log that the gateway writes and fail2ban reads, if it is missing. The gateway cannot
 * create files in this folder. Neither the gateway nor fail2ban's jails start without the log.
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

/** UID and GID of the relay, the same in the container and on the server. */
const relayUser = components.relay.user;

/** Creates the folder in which the relay stores the usage of its keys. */
export async function ensureRelayUsage(host: Host): Promise<void> {
  await makeFolder(host, relayUsageFolder, { mode: 0o700, uid: relayUser });
}
