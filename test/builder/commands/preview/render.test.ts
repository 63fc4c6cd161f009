import { describe, expect, it } from 'vitest';
import {
  completeSecrets,
  defaultSite,
  preferredPorts,
  previewSite,
  renderPreview,
} from '../../../../builder/commands/preview/render.ts';
import { everything, stackInput } from '../../../appliance/stages/stack/stack-input.ts';

const nodes = [{ name: 'gpu1', url: 'https://gpu.example.com' }];
const full = { ...stackInput({ ...everything, engines: { nodes } }).site, ca: 'unused' };
const ports = { ...preferredPorts(full), engine: 21434 };
const site = previewSite(full, ports);
const rendered = (given = site) =>
  renderPreview({
    site: given,
    release: { images: [], models: [] },
    gatewayConfiguration: undefined,
    secrets: completeSecrets(given, {}),
    computer: { memory: 8 * 1024 ** 3, cpus: 4, startInterval: true },
    project: 'landfall-preview-demo',
  });

describe('the site of a preview', () => {
  it('drops host names, route, CA, certificate and other servers from a preview, and keeps the components', () => {
    expect(site).toMatchObject({ hosts: {}, route: { mode: 'direct' }, tls: { mode: 'internal' } });
    expect([site.ca, site.engines]).toEqual([undefined, undefined]);
    expect(site.components).toEqual(full.components);
    expect(site.providers).toEqual(full.providers);
  });

  it('sets the chosen ports in the site of a preview', () => {
    expect(site.ports).toMatchObject({ engine: 21434, ui: 3000 });
  });

  it('prefers ports of enabled components only', () => {
    expect(Object.keys(preferredPorts(defaultSite()))).toEqual([
      ...['https', 'http', 'engine', 'ui', 'tinyproxy', 'docs'],
    ]);
  });
});

describe('the files of a preview', () => {
  const fileOf = (path: string) => rendered().files.find((file) => file.path === path)?.content;

  it('renders the files of a preview as for a server, with another project name', () => {
    expect(fileOf('.env')).toContain("COMPOSE_PROJECT_NAME='landfall-preview-demo'\n");
    expect(fileOf('.env')).toContain("ENGINE_PORT='21434'\n");
    expect(fileOf('gateway/conf.d/00-bare-address.conf')).toContain('localhost');
  });

  it('name the Compose files that this computer needs', () => {
    expect(fileOf('overrides')).toBe('start-interval.yaml\ngateway/http-port.yaml\n');
  });
});

describe('the secrets of a preview', () => {
  it('generates the secrets of a preview once', () => {
    const first = completeSecrets(site, {});
    expect(first.WEBUI_ADMIN_PASSWORD).toMatch(/^\w{24}$/);
    expect(completeSecrets(site, first)).toEqual(first);
  });

  it('do not include the keys of providers', () => {
    expect(Object.keys(completeSecrets(site, {}))).not.toContain('OPENAI_API_KEY');
  });
});
