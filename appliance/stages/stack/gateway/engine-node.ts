import { engineNodePath, enginePort } from '#contract/site/engines/engine-node.ts';
import { addressInStack } from '../address-in-stack.ts';
import { inferencePaths } from '../components/engine/inference-paths.ts';
import { certificateFiles, insideGateway } from './certificate-files.ts';
import { block, noHsts, proxied, server, withoutUpgrade } from './directives.ts';
import { certificate } from './servers.ts';

/** The authority of the first server, below `/var/lib/landfall/stack`. */
export const clientAuthorityFile = 'gateway/tls/clients.pem';

/**
 * Renders the server of an engine node. Clients need a certificate of the first server's authority, and
 * reach the paths that answer and describe models only. The first server has one address for all its
 * users, so that its requests do not count for bans or limits.
 * @param version of the release, which the first server shows
 */
export function engineNodeServer(version: string): string {
  const { generate, embed, inform, informPrefix } = inferencePaths;
  const forwarded = [
    ...[...generate, ...embed, ...inform].map((path) => proxied(`= ${path}`, target)),
    proxied(informPrefix, target),
  ];
  return server(
    noHsts,
    `listen ${enginePort} ssl default_server; listen [::]:${enginePort} ssl default_server;`,
    'server_name _;',
    'access_log /dev/stdout landfall;',
    'limit_conn clients 10000;',
    certificate(certificateFiles.site),
    `ssl_client_certificate ${insideGateway(clientAuthorityFile)};\nssl_verify_client on;`,
    forwarding,
    `location = ${engineNodePath} ${block([
      'default_type application/json;',
      `return 200 '${JSON.stringify({ release: version })}';`,
    ])}`,
    ...forwarded,
    'location / { return 403; }',
  );
}

const target = addressInStack('engine');

/** Ollama gets no headers about the client. A response may be silent for ten minutes. */
const forwarding = [
  'proxy_set_header Host $proxy_host;',
  ...withoutUpgrade,
  'proxy_buffering off;',
  'proxy_read_timeout 600s;',
  'proxy_send_timeout 600s;',
].join('\n');
