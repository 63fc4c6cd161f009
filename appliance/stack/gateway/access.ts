import { passHeader } from '#contract/pass.ts';

/** The header with the pass of an update, as nginx names it. */
const passVariable = `$http_${passHeader.toLowerCase().replaceAll('-', '_')}`;

/**
 * Renders the variable of the networks without a limit on concurrent requests. The tests of an update
 * have none either: they sign in more often than people do.
 */
export function unlimitedVariable(networks: readonly string[], pass: string | undefined): string {
  const ofNetworks = ['default 0;', ...new Set(networks.map((network) => `${network} 1;`))];
  const ofPass = ['default $is_unlimited_network;', ...(pass === undefined ? [] : [`${pass} 1;`])];
  return [
    `geo $is_unlimited_network {\n${indented(ofNetworks)}}\n`,
    `map ${passVariable} $is_unlimited {\n${indented(ofPass)}}\n`,
  ].join('');
}

function indented(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}\n`).join('');
}

/** While an update has closed the server, only its own tests get through. */
export const refuseWithoutPass = 'if ($is_closed) { return 503; }\n';

/**
 * Renders the variable of a closed server. Health, ACME challenges and the certificate authority stay: a
 * rule of a server precedes its locations.
 */
export function closedVariable(pass: string): string {
  return `map $uri $is_closed_path {
  default 1;
  ~^/\\.well-known/(?:acme-challenge|landfall)/ 0;
}
map ${passVariable} $is_closed {
  default $is_closed_path;
  ${pass} 0;
}
`;
}
