import { describe, expect, it } from 'vitest';
import { renderStack } from '../../../../appliance/stages/stack/render-stack.ts';
import { stackInput } from './stack-input.ts';

const server = { memory: 8e9, cpus: 4, addresses: ['203.0.113.5'], ipv6: 'reachable' } as const;

function filesOf(site: Record<string, unknown>): Map<string, string> {
  const files = renderStack(stackInput(site, { server }));
  return new Map(files.map(({ path, content }) => [path, content]));
}

describe('the stack of a site with a tunnel', () => {
  const tunnel = filesOf({ access: { mode: 'wireguard' } });

  it('publishes the gateway at the address of the server in the tunnel', () => {
    expect(tunnel.get('.env')).toContain("GATEWAY_ADDRESS='10.86.0.1'\n");
  });

  it('publishes nothing over IPv6, which the tunnel lacks', () => {
    expect(tunnel.get('overrides')).toContain('gateway/http-port.yaml\n');
    expect(tunnel.get('overrides')).not.toContain('gateway/ipv6-ports.yaml');
    expect(tunnel.get('overrides')).not.toContain('gateway/http-ipv6-port.yaml');
  });

  it('gives the chat UI its address in the tunnel, and no other', () => {
    expect(tunnel.get('.env')).toContain("WEBUI_URL='https://10.86.0.1'\n");
    expect(tunnel.get('.env')).not.toContain('203.0.113.5');
  });

  it('renders the same files as before for a site without one', () => {
    const before = filesOf({});
    const pages = [...before].filter(([path]) => !path.startsWith('docs/'));
    expect(
      pages
        .flat()
        .join('\n')
        .match(/GATEWAY_ADDRESS|10\.86\./),
    ).toBeNull();
    expect(before.get('overrides')).toContain('gateway/ipv6-ports.yaml\n');
  });
});
