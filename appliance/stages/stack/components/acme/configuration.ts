import { dnsVariables } from '#contract/site/certificates/dns-providers.ts';
import { dnsProviderOf } from '#contract/site/certificates/tls.ts';
import { routeEnvironment } from '../../../../server/host/download/route-environment.ts';
import { envFile, type RenderedFile, secretFile } from '../../rendered-file.ts';
import type { StackInput } from '../../stack-input.ts';

/**
 * Renders lego's variables: the proxy of the route, and the credentials of the DNS provider. They are in a file and
 * not in the environment, because the URL of a proxy may contain its password.
 */
export function renderAcme({ site, secrets }: StackInput): RenderedFile[] {
  const names = dnsVariables(dnsProviderOf(site.tls) ?? '').filter((name) => secrets[name]);
  const credentials = Object.fromEntries(names.map((name) => [name, secrets[name] ?? '']));
  const variables = { ...routeEnvironment(site, 'container'), ...credentials };
  return [secretFile('acme/secrets.env', envFile(variables), 'acme')];
}
