import { createHmac } from 'node:crypto';
import { passHeader } from '#contract/site/endpoints.ts';

/** The header with the pass of an update, as nginx names it. */
const passVariable = `$http_${passHeader.toLowerCase().replaceAll('-', '_')}`;

/**
 * Returns the pass of the smoke tests of this server, 32 hex digits; undefined without its signing key.
 * Two changes in a row would otherwise wait minutes for a sign-in.
 */
export function testPass({ WEBUI_SECRET_KEY: key }: Readonly<Record<string, string>>) {
  if (key === undefined) return undefined;
  return createHmac('sha256', key).update('landfall smoke tests').digest('hex').slice(0, 32);
}

/**
 * Renders the variable of the networks without a limit on concurrent requests. The smoke tests have none
 * either: they sign in more often than people do.
 * @param passes of the smoke tests and of an update
 */
export function unlimitedVariable(
  networks: readonly string[],
  passes: ReadonlyArray<string | undefined>,
): string {
  const ofNetworks = [
    'default 0;',
    ...new Set(networks.map((network) => `${nginxNetwork(network)} 1;`)),
  ];
  const known = passes.filter((pass) => pass !== undefined);
  const ofPass = ['default $is_unlimited_network;', ...known.map((pass) => `${pass} 1;`)];
  return [
    `geo $is_unlimited_network {\n${indented(ofNetworks)}}\n`,
    `map ${passVariable} $is_unlimited {\n${indented(ofPass)}}\n`,
  ].join('');
}

/** Returns a network as nginx reads it: `::` for a single group is valid (RFC 4291, 2.2), but not for nginx. */
function nginxNetwork(network: string): string {
  const [address = '', ...prefix] = network.split('/');
  if (!address.includes(':')) return network;
  return [new URL(`http://[${address}]`).hostname.slice(1, -1), ...prefix].join('/');
}

function indented(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}\n`).join('');
}

/**
 * Returns the rule of a server that an update has closed: only the tests of the update get through. It
 * precedes all locations, so health, ACME challenges and the certificate authority, which a server
 * without TLS has, are exempt there.
 */
export function refuseWithoutPass(tls: boolean): string {
  return `if (${tls ? '$has_no_pass' : '$is_closed'}) { return 503; }\n`;
}

/** Renders the variables of a closed server. */
export function closedVariables(pass: string): string {
  return `map ${passVariable} $has_no_pass {
  default 1;
  ${pass} 0;
}
map $uri $is_closed {
  default $has_no_pass;
  ~^/\\.well-known/(?:acme-challenge|landfall)/ 0;
}
`;
}
