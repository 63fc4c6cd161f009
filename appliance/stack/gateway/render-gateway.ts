import {
  bareAddressComponent,
  type HostComponent,
  hostComponents,
} from '#contract/component-names.ts';
import { servedHosts } from '#contract/site/served-hosts.ts';
import { plainFile, type RenderedFile } from '../rendered-file.ts';
import type { StackInput } from '../stack-input.ts';
import { locationsOf } from './locations.ts';
import { bareServers, namedServers, otherHostServers } from './servers.ts';

/**
 * nginx's server blocks, one file a host name (SPEC 2.9): HTTP sends people to HTTPS with 301,
 * whoever asks for another host gets 403. A site without any host name has its UI on the bare
 * address.
 */
export function renderGateway(input: StackInput): RenderedFile[] {
  const names = servedHosts(input.site);
  const served = hostComponents.filter((name) => names[name]);
  const tls = input.site.tls.mode !== 'off';
  const hsts = tls && input.trustedCertificate === true;
  const blocks = (part: HostComponent) =>
    namedServers(names[part] ?? '', locationsOf(part, tls), { tls, hsts });
  const files =
    served.length > 0
      ? [
          file('00-other-hosts', otherHostServers(tls)),
          ...served.map((part) => file(part, blocks(part))),
        ]
      : [file('00-bare-address', bareServers(locationsOf(bareAddressComponent, tls), tls))];
  return [file('00-unlimited', unlimitedNetworks(input.site.firewall.unlimited)), ...files];
}

/** The networks that may ask for any number of things at once. */
function unlimitedNetworks(networks: readonly string[]): string {
  const lines = ['default 0;', ...new Set(networks.map((network) => `${network} 1;`))];
  return `geo $is_unlimited {\n${lines.map((line) => `  ${line}\n`).join('')}}\n`;
}

function file(name: string, content: string): RenderedFile {
  return plainFile(
    `gateway/conf.d/${name}.conf`,
    `# Made by landfall for this site. Changes here are overwritten; change the site instead.\n${content}`,
  );
}
