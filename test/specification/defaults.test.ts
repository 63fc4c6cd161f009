import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { siteSchema } from '#contract/site/site.ts';
import { limitsOf } from '#contract/sizes/limits.ts';
import { daemonSettings } from '../../appliance/stages/runtime/daemon-settings.ts';
import {
  environmentIn,
  environmentOf,
  filesOf,
  siteOnServer,
  stack,
  withDefaults,
} from './rendered.ts';

const portsOf = (service: string): string[] => stack.services[service].ports.map(withDefaults);

describe("the specification's ports (SPEC 2.5)", () => {
  it.each([
    ['tinyproxy', '127.0.0.1:8888:8888'],
    // The specification assigns 3000 to the UI and to this service.
    ['chat', '127.0.0.1:3001:3000'],
    ['lobe', '127.0.0.1:3210:3210'],
    ['engine', '127.0.0.1:11434:11434'],
    ['ui', '127.0.0.1:3000:8080'],
  ])('%s has %s', (service, port) => expect(portsOf(service)).toContain(port));

  it('publishes port 80 of the gateway, in a file of its own that a site can leave out', async () => {
    const text = readFileSync(
      new URL('../../compose/gateway/http-port.yaml', import.meta.url),
      'utf8',
    );
    expect(text).toContain('- ${GATEWAY_ADDRESS:-0.0.0.0}:80:80');
    expect((await filesOf({})).overrides).toContain('gateway/http-port.yaml');
  });

  it('uses the specified ports as the defaults of a site, and changes them separately', async () => {
    const { ports } = await siteOnServer({});
    expect(ports).toMatchObject({ ui: 3000, lobe: 3210, tinyproxy: 8888, engine: 11434 });
    const files = await filesOf({ ports: { engine: 21434 } });
    expect(environmentIn(files['.env'])).toMatchObject({ ENGINE_PORT: '21434', UI_PORT: '3000' });
  });
});

describe("the specification's settings of the components (SPEC 2.5)", () => {
  it.each([
    ['engine', 'OLLAMA_HOST=0.0.0.0'],
    ['engine', 'OLLAMA_KEEP_ALIVE=24h'],
    ['ui', 'OLLAMA_BASE_URL=http://engine:11434'],
  ])('%s has %s', (service, variable) => expect(environmentOf(service)).toContain(variable));

  it('store the data of Ollama and of the UI in volumes', () => {
    expect(stack.services.engine.volumes).toContain('engine-data:/root/.ollama');
    expect(stack.services.ui.volumes).toContain('ui-data:/app/backend/data');
  });

  it('set the configuration of the gateway and the alias proxy.local', () => {
    expect(stack.services.gateway.networks.inside.aliases).toEqual(['proxy.local']);
    expect(stack.services.gateway.volumes[0]).toMatch(
      /\/stack\/gateway:\/etc\/nginx\/landfall:ro$/,
    );
    expect(stack.services.gateway.entrypoint).toContain('/etc/nginx/landfall/nginx.conf');
  });
});

describe("the specification's compose file (SPEC 2.4, 3.3, 9)", () => {
  it('sets version 3.8 in the compose file', () => expect(stack.version).toBe('3.8'));

  it('sets the restart policy of all long-running services', () => {
    const { acme, ...others } = stack.services;
    for (const [name, { restart, container_name }] of Object.entries<Record<string, unknown>>(
      others,
    )) {
      expect([name, restart, container_name]).toEqual([name, 'unless-stopped', `landfall-${name}`]);
    }
    expect(acme.restart).toBe('no');
  });

  it('makes the UI depend on Ollama, and uses bridge networks', () => {
    expect(stack.services.ui.depends_on).toEqual(['engine']);
    for (const { driver } of Object.values<{ driver: string }>(stack.networks)) {
      expect(driver).toBe('bridge');
    }
  });

  it('rotates logs at 10m, with three files (SPEC 2.3, 8)', () => {
    const rotated = { driver: 'json-file', options: { 'max-size': '10m', 'max-file': '3' } };
    // NextChat prints keys and access codes, so it has no log.
    const { chat, ...others } = stack.services;
    expect(chat.logging).toEqual({ driver: 'none' });
    for (const [name, { logging }] of Object.entries<{ logging: unknown }>(others)) {
      expect([name, logging]).toEqual([name, rotated]);
    }
  });
});

describe("the specification's settings of the container runtime (SPEC 2.3)", () => {
  it('writes the specified runtime settings for dockerd', () => {
    const site = siteSchema.parse({
      release: ['https://e.example/'],
      admin: { ssh_keys: ['ssh-ed25519 AAAA'] },
      mirrors: { registries: { 'docker.io': 'https://registry.example.cn' } },
    });
    expect(
      JSON.parse(daemonSettings(undefined, { site, routes: [], dockerVersion: 28 }).text),
    ).toMatchObject({
      'registry-mirrors': ['https://registry.example.cn'],
      'log-driver': 'json-file',
      'log-opts': { 'max-size': '10m', 'max-file': '3' },
    });
  });
});

describe("the specification's reverse proxy (SPEC 2.9)", () => {
  const config = async () =>
    Object.values(
      await filesOf({ hosts: { ui: 'chat.example.com' }, tls: { mode: 'internal' } }).then((all) =>
        Object.fromEntries(Object.entries(all).filter(([path]) => path.startsWith('gateway/'))),
      ),
    ).join('\n');

  it.each([
    'listen 80;',
    'listen 443 ssl;',
    'server_name chat.example.com;',
    'proxy_set_header Host $host;',
    'proxy_set_header X-Real-IP $remote_addr;',
    // There is no proxy in front of this gateway, so the header of a client is not trusted.
    'proxy_set_header X-Forwarded-For $remote_addr;',
    'proxy_set_header X-Forwarded-Proto https;',
    // WebSocket requests only: docs/release/corrections.md.
    'proxy_set_header Upgrade $websocket;',
    'proxy_set_header Connection $connection_upgrade;',
    'proxy_read_timeout 86400s;',
    'ssl_certificate /etc/nginx/landfall/tls/site/fullchain.pem;',
    'ssl_certificate_key /etc/nginx/landfall/tls/site/privkey.pem;',
    'return 403;',
    'return 301 https://$host$request_uri;',
  ])('writes %s into the reverse proxy configuration', async (directive) =>
    expect(await config()).toContain(directive),
  );

  it('uses HTTP/1.1 for its upstreams', () => {
    const text = readFileSync(new URL('../../compose/gateway/nginx.conf', import.meta.url), 'utf8');
    expect(text).toContain('proxy_http_version 1.1;');
  });
});

describe("the specification's limits (SPEC 8)", () => {
  const GiB = 1024 ** 3;

  it('allow the UI and the proxy on 2 cores and 2 GB', () => {
    const { ui, tinyproxy, gateway } = limitsOf({ memory: 2 * GiB, cpus: 2 });
    expect(ui.memory + tinyproxy.memory + gateway.memory).toBeLessThan(2 * GiB);
  });

  it('allow a 7B-class model of 4.7 GB on 4 cores and 8 GB', () => {
    expect(limitsOf({ memory: 8 * GiB, cpus: 4 }).engine.memory).toBeGreaterThan(5.5 * GiB);
  });
});
