import { type ComponentName, components } from '#contract/components.ts';
import { server } from './server-block.ts';

const noHsts = { hsts: false };

/** A component that the gateway serves on a port of its own, which only SSH tunnels reach. */
type ServedByGateway = {
  [Name in ComponentName]: (typeof components)[Name] extends {
    readonly servedBy: 'gateway';
    readonly containerPort: number;
  }
    ? Name
    : never;
}[ComponentName];

/**
 * Renders the servers of a component's port on the loopback address of the server. Only loopback
 * names are valid hosts, which prevents DNS rebinding. Requests do not count for bans: all clients of
 * a tunnel have the same address.
 */
export function tunnelServers(name: ServedByGateway, locations: string): string {
  const { containerPort } = components[name];
  const log = 'access_log /dev/stdout landfall;';
  const own = 'server_name localhost 127.0.0.1;';
  return [
    server(
      noHsts,
      `listen ${containerPort} default_server;`,
      'server_name _;',
      log,
      'location / { return 403; }',
    ),
    server(noHsts, `listen ${containerPort};`, own, log, locations),
  ].join('\n');
}
