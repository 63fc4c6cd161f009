import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { balancerLink } from '../../../../../../appliance/stages/firewall/public.ts';
import {
  describeGroups,
  renderBalancer,
} from '../../../../../../appliance/stages/stack/components/balancer/configuration.ts';
import { renderStack } from '../../../../../../appliance/stages/stack/render-stack.ts';
import { CertificateAuthority } from '../../../../../faulty-server/certificates.ts';
import { everything, stackInput } from '../../stack-input.ts';

const ca = new CertificateAuthority().cert;
const attic = { name: 'attic', url: 'http://10.0.0.9:11434', plain: 'i-understand', backup: true };
const gpu = { name: 'gpu1', url: 'https://203.0.113.20:11443', ca, slots: 2, weight: 10 };

function configurationOf(engines: object, site: object = {}): string {
  const [file] = renderBalancer(stackInput({ ...site, engines }));
  return file?.content ?? '';
}

const serversIn = (text: string, backend: string) =>
  new RegExp(`^backend ${backend}\\n(?:(?!backend)[^\\n]*\\n)*`, 'm')
    .exec(text)?.[0]
    .match(/^ {2}server .*$/gm)
    ?.map((line) => line.trim());

describe('the configuration of HAProxy', () => {
  it('gives each server its slots, its weight and its encryption', () => {
    const text = configurationOf({ local: 'backup', nodes: [gpu, attic] });
    expect(serversIn(text, 'generate-1')).toEqual([
      expect.stringMatching(/^server local engine:11434 weight 1 .* backup maxconn 1$/),
      'server gpu1 203.0.113.20:11443 weight 10 ssl verify required ca-file /etc/landfall-balancer/node-gpu1.pem crt /etc/landfall-balancer/client.pem maxconn 2',
      'server attic 10.0.0.9:11434 weight 1 backup maxconn 1',
    ]);
  });

  it('gives embeddings slots of their own, and no limit to lists', () => {
    const text = configurationOf({ local: 'no', nodes: [gpu] });
    expect(serversIn(text, 'embed-1')?.[0]).toMatch(/track generate-1\/gpu1 maxconn 2$/);
    expect(serversIn(text, 'info-1')?.[0]).toMatch(/track generate-1\/gpu1$/);
  });

  it('compares the name of a node with its certificate', () => {
    const named = { name: 'a', url: 'https://gpu.example.com' };
    const [line] = serversIn(configurationOf({ local: 'no', nodes: [named] }), 'generate-1') ?? [];
    expect(line).toContain('server a gpu.example.com:443 ');
    expect(line).toContain('verifyhost gpu.example.com sni str(gpu.example.com)');
    expect(line).toContain('ca-file /etc/ssl/certs/ca-certificates.crt');
  });

  it('expects the digests of the release for the models of a group', () => {
    const model = { role: 'chat', size: 1 } as const;
    const releaseModels = [
      { ...model, name: 'qwen3:8b', manifest: `sha256:${'a'.repeat(64)}` },
      { ...model, name: 'qwen2.5:7b', manifest: `sha256:${'b'.repeat(64)}` },
      { ...model, name: 'big:70b', manifest: null },
      { ...model, name: 'unused:1b', manifest: `sha256:${'c'.repeat(64)}` },
    ];
    const models = ['qwen3:8b', 'qwen2.5:7b', 'big:70b', 'own:1b'];
    const input = stackInput({ engines: { local: 'no', nodes: [{ ...gpu, models }] } });
    const [file] = renderBalancer({ ...input, releaseModels });
    expect(file?.content.match(/! rstring .*/g)).toEqual([
      `! rstring '"name":"qwen2[.]5:7b",[^{}]*"digest":"(?!${'b'.repeat(64)})'`,
      `! rstring '"name":"qwen3:8b",[^{}]*"digest":"(?!${'a'.repeat(64)})'`,
    ]);
  });

  it('adds the authorities of the site to the public ones', () => {
    const named = { name: 'a', url: 'https://gpu.example.com' };
    const files = renderBalancer(stackInput({ ca, engines: { nodes: [named] } }));
    expect(files.map(({ path }) => path)).toEqual([
      'balancer/haproxy.cfg',
      'balancer/authorities.pem',
    ]);
    expect(files[0]?.content).toContain('ca-file /etc/landfall-balancer/authorities.pem');
  });
});

describe('the plan of a change of servers', () => {
  it('names the servers of each group with their slots, and the backups', () => {
    const models = ['big:70b', 'qwen3:8b'];
    const nodes = [{ ...gpu, models }, attic, { ...attic, name: 'shed', url: 'http://10.0.0.8' }];
    expect(describeGroups(stackInput({ engines: { local: 'backup', nodes } }))).toEqual([
      'send requests for other models to local (1 slot, backup), attic (1 slot, backup), shed (1 slot, backup)',
      'send requests for big:70b, qwen3:8b to gpu1 (2 slots)',
    ]);
    expect(describeGroups(stackInput())).toEqual([]);
  });
});

describe('the stack of a site with engines', () => {
  const engines = { nodes: [gpu, { ...attic, models: ['big:70b'] }] };
  const variablesOf = (site: object) =>
    renderStack(stackInput({ ...site })).find(({ path }) => path === '.env')?.content ?? '';

  it('runs HAProxy and sends the chat UI and the relay to it', () => {
    const files = renderStack(stackInput({ engines, relay: { local: true } }));
    const contentOf = (name: string) => files.find(({ path }) => path === name)?.content;
    expect(contentOf('.env')).toContain("COMPOSE_PROFILES='balancer,relay'");
    expect(contentOf('.env')).toContain(
      "BALANCER_URLS='http://balancer:11434;http://balancer:11435'",
    );
    expect(contentOf('overrides')).toContain('balancer/ui.yaml\n');
    expect(JSON.parse(contentOf('relay/relay.json') ?? '').local).toEqual({
      base_url: 'http://balancer.landfall_models:11434',
      list_urls: ['http://balancer.landfall_models:11435'],
    });
    expect(contentOf('balancer/node-gpu1.pem')).toBe(ca);
  });

  it('leaves no trace of HAProxy in the files of a site without engines', () => {
    const images = stackInput().images.filter(({ component }) => component !== 'balancer');
    const files = renderStack({ ...stackInput(everything), images });
    // The reference has all fields of a site.
    for (const { path, content } of files.filter((file) => !/\/site\.\w+$/.test(file.path))) {
      expect([path, /balancer|haproxy/i.test(content)]).toEqual([path, false]);
    }
    expect(variablesOf(everything)).not.toContain('BALANCER_MEMORY');
  });

  it('gives HAProxy an egress with the link that the firewall knows', () => {
    const file = new URL('../../../../../../compose/compose.yaml', import.meta.url);
    const { networks, services } = parse(readFileSync(file, 'utf8'), { merge: true });
    expect(networks.nodes.driver_opts['com.docker.network.bridge.name']).toBe(balancerLink);
    const members = Object.entries<{ networks?: unknown }>(services).filter(([, service]) =>
      JSON.stringify(service.networks).includes('"nodes"'),
    );
    expect(members.map(([name]) => name)).toEqual(['balancer']);
  });
});
