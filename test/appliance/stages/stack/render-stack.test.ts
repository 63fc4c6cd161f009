import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import { renderOverrides, renderStack } from '../../../../appliance/stages/stack/render-stack.ts';
import type { RenderedFile } from '../../../../appliance/stages/stack/rendered-file.ts';
import type { StackInput } from '../../../../appliance/stages/stack/stack-input.ts';
import { CertificateAuthority } from '../../../faulty-server/certificates.ts';
import { everything, stackInput, tag } from './stack-input.ts';

function fileOf(files: readonly RenderedFile[], path: string): RenderedFile {
  const found = files.find((file) => file.path === path);
  if (!found) throw new Error(`no ${path} among ${files.map((file) => file.path).join(', ')}`);
  return found;
}

describe('the files of a stack', () => {
  it('renders the same files of a stack for the same input', () => {
    expect(renderStack(stackInput(everything))).toEqual(renderStack(stackInput(everything)));
  });

  it('writes the secrets of a stack only to files with one reader', () => {
    const input = stackInput(everything);
    const values = Object.values(input.secrets);
    for (const { path, mode, content } of renderStack(input)) {
      const holds = values.some((value) => content.includes(value));
      expect([path, holds ? mode : 'no secret']).toEqual([path, holds ? 0o400 : 'no secret']);
    }
  });

  it('writes the files of a stack only below its folder', () => {
    for (const { path } of renderStack(stackInput(everything))) {
      expect(path).toMatch(/^[a-z0-9.][\w./-]*$/);
      expect(path).not.toContain('..');
    }
  });

  it('writes one file of server blocks per host name of a stack', () => {
    const paths = renderStack(stackInput(everything)).map(({ path }) => path);
    for (const part of ['ui', 'chat', 'lobe', 'relay', 'docs', '00-other-hosts']) {
      expect(paths).toContain(`gateway/conf.d/${part}.conf`);
    }
  });

  it('omit disabled front-ends, even with a host name', () => {
    const paths = renderStack(stackInput({ ...everything, components: {} })).map(
      ({ path }) => path,
    );
    expect(
      paths.filter((path) => /^(gateway\/conf.d|chat|lobe)\/?.*(chat|lobe)/.test(path)),
    ).toEqual([]);
  });

  it('replace containers when the DNS servers of Docker change', () => {
    const envOf = (dns?: object) =>
      fileOf(renderStack(stackInput({ ...everything, ...(dns && { dns }) })), '.env').content;
    const relay = (text: string) => /^RELAY_CONFIGURATION=.*$/m.exec(text)?.[0];
    expect(relay(envOf({ nameserver: ['9.9.9.9'] }))).not.toBe(relay(envOf()));
    expect(relay(envOf({ nameserver: ['9.9.9.9'] }))).toBe(
      relay(envOf({ nameserver: ['9.9.9.9'] })),
    );
  });

  it('fail with every missing secret', () => {
    const input = { ...stackInput(everything), secrets: { WEBUI_SECRET_KEY: 'x' } };
    try {
      renderStack(input);
      expect.unreachable('it was rendered');
    } catch (error) {
      if (!(error instanceof LandfallError)) throw error;
      expect(error.code).toBe('STATE_INVALID');
      const missing = error.problems.map(({ message }) => message).join();
      expect(missing).toContain('WEBUI_ADMIN_PASSWORD');
      expect(missing).toContain('RELAY_KEY_LOBE');
      expect(missing).not.toContain('OPENAI_API_KEY');
    }
  });

  it('reject a secret with a quote without printing it', () => {
    const input = stackInput();
    const secrets = { ...input.secrets, WEBUI_ADMIN_PASSWORD: "a'; reboot; '" };
    expect(() => renderStack({ ...input, secrets })).toThrow(
      /^WEBUI_ADMIN_PASSWORD contains a quote/,
    );
  });

  it('change the configuration label of a component exactly when its files change', () => {
    const labels = (secrets: Record<string, string>) => {
      const input = stackInput(everything);
      const files = renderStack({ ...input, secrets: { ...input.secrets, ...secrets } });
      return fileOf(files, '.env').content.match(/^\w+_CONFIGURATION=.*$/gm) ?? [];
    };
    const before = labels({});
    const after = labels({ TINYPROXY_PASSWORD: 'another' });
    const changed = after.filter((line, index) => line !== before[index]);
    expect(changed).toEqual([expect.stringMatching(/^TINYPROXY_CONFIGURATION=/)]);
  });
});

function variablesOf(site: Record<string, unknown>, rest: Partial<StackInput> = {}) {
  const text = renderStack(stackInput(site, rest)).find(({ path }) => path === '.env')?.content;
  const pairs = (text ?? '').matchAll(/^(\w+)='(.*)'$/gm);
  return Object.fromEntries([...pairs].map(([, name, value]) => [name, value]));
}

describe('the variables of the stack', () => {
  it('sets the variables of the stack to the defaults of the specification', () => {
    expect(variablesOf({})).toMatchObject({
      OLLAMA_KEEP_ALIVE: '24h',
      UI_PORT: '3000',
      LOBE_PORT: '3210',
      TINYPROXY_PORT: '8888',
      ENGINE_PORT: '11434',
      ENGINE_TAG: tag,
      ENGINE_ROCM_TAG: tag,
    });
  });

  it('start the relay and the front-ends only for a site that enables them', () => {
    expect(variablesOf({}).COMPOSE_PROFILES).toBe('');
    expect(variablesOf(everything).COMPOSE_PROFILES).toBe('chat,lobe,relay');
    const providers = { openai: { base_url: 'https://api.openai.com/v1' } };
    expect(variablesOf({ providers }).COMPOSE_PROFILES).toBe('relay');
  });

  it('allow the UI from its own origin and through a tunnel', () => {
    expect(variablesOf(everything)).toMatchObject({
      WEBUI_URL: 'https://chat.example.com',
      UI_ORIGINS: 'https://chat.example.com;http://localhost:3000;http://127.0.0.1:3000',
      UI_SECURE_COOKIES: 'True',
    });
  });

  it("use the server's addresses without host names, IPv6 in brackets", () => {
    const server = { memory: 2e9, cpus: 2, addresses: ['203.0.113.9', '2001:db8::9'] };
    expect(variablesOf({}, { server }).UI_ORIGINS).toContain(
      'https://203.0.113.9;https://[2001:db8::9];',
    );
  });

  // At Google and Oracle, the metadata have no public address, and a page could not open its connection.
  it('allow any origin behind NAT, where the address of browsers is unknown', () => {
    const server = { memory: 2e9, cpus: 2, addresses: ['10.0.0.9'] };
    expect(variablesOf({}, { server }).UI_ORIGINS).toBe('*');
    expect(variablesOf(everything, { server }).UI_ORIGINS).toContain('https://chat.example.com;');
  });

  it('select the embedding model of the release, or else the one in the image', () => {
    const embedding = {
      name: 'all-minilm:22m',
      role: 'embedding',
      manifest: null,
      size: 1,
    } as const;
    const chat = { ...embedding, name: 'library/qwen3:8b', role: 'chat' } as const;
    const models = { models: [chat, embedding], chat, embedding, hostedOnly: undefined };
    expect(variablesOf({}, { models })).toMatchObject({
      UI_DEFAULT_MODELS: 'qwen3:8b',
      UI_EMBEDDING_ENGINE: 'ollama',
      UI_EMBEDDING_MODEL: 'all-minilm:22m',
      UI_PASSAGE_SIZE: '204',
      UI_PASSAGE_OVERLAP: '40',
      UI_PASSAGES: '17',
    });
    for (const name of ['qwen3-embedding:0.6b', 'constructor']) {
      const larger = { ...embedding, name };
      expect(variablesOf({}, { models: { ...models, embedding: larger } })).toMatchObject({
        UI_PASSAGE_SIZE: '1000',
        UI_PASSAGE_OVERLAP: '100',
        UI_PASSAGES: '3',
      });
    }
    expect(variablesOf({})).toMatchObject({
      UI_PASSAGE_SIZE: '204',
      UI_DEFAULT_MODELS: '',
      UI_EMBEDDING_ENGINE: '',
      UI_EMBEDDING_MODEL: 'sentence-transformers/all-MiniLM-L6-v2',
    });
  });

  it('give the chat UI the maximum size of a file, which the embedding model decides', () => {
    const embedding = { name: 'a', role: 'embedding', manifest: null, size: 640e6 } as const;
    const models = { models: [embedding], chat: undefined, embedding, hostedOnly: undefined };
    expect(variablesOf({}, { models })).toMatchObject({ UI_FILE_MB: '20' });
    expect(variablesOf({})).toMatchObject({ UI_FILE_MB: '50' });
  });

  it('give Ollama the context that fits, and load the chat model', () => {
    const chat = { name: 'library/qwen3:8b', role: 'chat', manifest: null, size: 5.2e9 } as const;
    const models = { models: [chat], chat, embedding: undefined, hostedOnly: undefined };
    const server = { memory: 16 * 1024 ** 3, cpus: 4 };
    expect(variablesOf({}, { models, server })).toMatchObject({
      OLLAMA_CONTEXT_LENGTH: '16384',
      ENGINE_PRELOAD: 'qwen3:8b',
    });
    expect(Number(variablesOf({}, { models, server }).ENGINE_PROMPT_CACHE)).toBeGreaterThan(1000);
    expect(variablesOf({}).ENGINE_PRELOAD).toBe('');
  });

  it('use http without TLS, because users could not sign in otherwise', () => {
    expect(variablesOf({ ...everything, tls: { mode: 'off' } })).toMatchObject({
      WEBUI_URL: 'http://chat.example.com',
      UI_SECURE_COOKIES: 'False',
    });
  });
});

const server = { memory: 8e9, cpus: 4 };
const webPort = 'gateway/http-port.yaml\n';
const webPorts = `${webPort}gateway/ipv6-ports.yaml\ngateway/http-ipv6-port.yaml\n`;

describe('a feature that only some servers have', () => {
  it('adds its override file', () => {
    const all = { ipv6: 'reachable' as const, gpu: 'nvidia' as const, startInterval: true };
    const input = { ...stackInput(), server: { ...server, ...all } };
    expect(renderOverrides(input).content).toBe(
      `start-interval.yaml\ngateway/ipv6.yaml\n${webPorts}engine/gpu-nvidia.yaml\n`,
    );
  });

  it('gives the components that connect to the internet IPv6 on a server without IPv4', () => {
    const input = { ...stackInput(), server: { ...server, ipv6: 'only' as const } };
    expect(renderOverrides(input).content).toBe(`gateway/ipv6.yaml\nipv6-only.yaml\n${webPorts}`);
  });

  it('adds the file of a CA only for a site with one', () => {
    const { cert: ca } = new CertificateAuthority();
    expect(renderOverrides(stackInput({ ca })).content).toBe(`${webPorts}engine/site-ca.yaml\n`);
  });

  it('adds the folder with the usage of relay keys only for a site with budgets', () => {
    const withoutIpv6 = { server: { ...server, ipv6: 'none' as const } };
    const overridesOf = (relay: object) =>
      renderOverrides(stackInput({ relay }, withoutIpv6)).content;
    expect(overridesOf({ keys: [{ name: 'phone', tokens_per_day: 5 }] })).toBe(
      `${webPort}relay/usage.yaml\n`,
    );
    expect(overridesOf({ ui: { tokens_per_day_per_user: 5 } })).toBe(
      `${webPort}relay/usage.yaml\n`,
    );
    expect(overridesOf({ keys: ['me', { name: 'phone', expires: '2027-03-31' }] })).toBe(webPort);
  });

  it('connects the relay to Ollama, and to machines of the administrator, only where the site says so', () => {
    const base_url = 'http://10.0.0.5:8000/v1';
    const withoutIpv6 = { server: { ...server, ipv6: 'none' as const } };
    const overrides = (site: object) =>
      renderOverrides(stackInput({ ...site }, withoutIpv6)).content;
    expect(overrides({ relay: { local: true } })).toBe(`${webPort}relay/local.yaml\n`);
    expect(overrides({ providers: { gpu: { base_url, plain: 'i-understand' } } })).toBe(
      `${webPort}relay/own-machines.yaml\n`,
    );
    expect(overrides({ relay: { keys: ['phone'] }, providers: { gpu: { base_url } } })).toBe(
      webPort,
    );
  });

  it('publishes ports over IPv6 only where the kernel has it', () => {
    const overrides = (role: Record<string, unknown>, ipv6: 'none' | 'local') =>
      renderOverrides(stackInput(role, { server: { ...server, ipv6 } })).content;
    expect(overrides({}, 'local')).toBe(webPorts);
    expect(overrides({}, 'none')).toBe(webPort);
    expect(overrides({ role: 'engine-node' }, 'local')).toBe(
      `${webPorts}engine/node.yaml\nengine/node-ipv6-port.yaml\n`,
    );
    expect(overrides({ role: 'engine-node' }, 'none')).toBe(`${webPort}engine/node.yaml\n`);
  });

  it('publishes HTTPS on the port of the site, and port 80 unless the site closes it', () => {
    const closed = stackInput({ hosts: { port: 8443, http: false } });
    expect(renderOverrides(closed).content).toBe('gateway/ipv6-ports.yaml\n');
    expect(variablesOf({ hosts: { port: 8443 } }).GATEWAY_HTTPS).toBe('8443');
    expect(variablesOf({ hosts: { port: 443 } }).GATEWAY_HTTPS).toBeUndefined();
    expect(variablesOf({ hosts: { ui: 'chat.example.com', port: 8443 } })).toMatchObject({
      WEBUI_URL: 'https://chat.example.com:8443',
      UI_ORIGINS: expect.stringMatching(/^https:\/\/chat\.example\.com:8443;/),
    });
  });

  it('adds no file on other servers, where Docker would refuse to start the stack', () => {
    const input = {
      ...stackInput(),
      server: { ...server, ipv6: 'none' as const, gpu: 'none' as const },
    };
    expect(renderOverrides(input).content).toBe(webPort);
  });

  it('provides an override file for each feature that only some servers have', () => {
    const ports = ['http-port.yaml', 'ipv6-ports.yaml', 'http-ipv6-port.yaml', 'ipv6.yaml'];
    const names = ['start-interval.yaml', ...ports.map((name) => `gateway/${name}`)];
    const relay = ['relay/local.yaml', 'relay/own-machines.yaml', 'relay/usage.yaml'];
    for (const name of [...names, 'engine/gpu-nvidia.yaml', 'engine/site-ca.yaml', ...relay]) {
      expect(existsSync(new URL(`../../../../compose/${name}`, import.meta.url))).toBe(true);
    }
  });
});
