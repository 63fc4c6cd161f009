import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { sha256Hex } from '#contract/trust/digest.ts';
import { freePort } from '../../setup/free-port.ts';
import { providePythonPackage } from '../../setup/real/python-package.ts';

/** A program that forwards requests to the provider of the benchmark. */
export interface Peer {
  readonly name: string;
  /** Where its processes are started, and how: the first prints its port, or listens at `port`. */
  readonly start: (provider: number, folder: string) => Promise<Started>;
  /** Connections with which it is measured. */
  readonly connections: readonly number[];
  readonly headersOf?: (connection: number) => Readonly<Record<string, string>>;
}

interface Started {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Undefined for a program that prints it. */
  readonly port?: number;
}

const all = [1, 50, 200];
/** A key may send 100,000 requests a minute. */
const keys = 20;
const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));

export const peers: readonly Peer[] = [
  { name: 'nginx', start: startNginx, connections: all },
  {
    name: 'Node baseline: `http` and undici',
    start: async (provider) => ({
      command: process.execPath,
      args: [pathOf('floor.ts'), `${provider}`],
    }),
    connections: all,
  },
  { name: 'Landfall', start: startRelay, connections: all, headersOf: keyNamed('plain') },
  {
    name: 'Landfall, keys with a budget',
    start: startRelay,
    connections: all,
    headersOf: keyNamed('budgeted'),
  },
  { name: 'Portkey 1.15.2', start: startPortkey, connections: all, headersOf: () => portkey },
  {
    name: 'LiteLLM 1.108.7',
    start: startLitellm,
    connections: all,
    headersOf: () => ({ authorization: 'Bearer sk-master-0123' }),
  },
];

function keyNamed(kind: 'plain' | 'budgeted') {
  return (connection: number) => ({ authorization: `Bearer ${kind}${connection % keys}` });
}

async function startNginx(provider: number, folder: string): Promise<Started> {
  const port = await freePort();
  const settings = join(folder, 'nginx.conf');
  await writeFile(
    settings,
    `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log /dev/null;
events { worker_connections 2048; }
http {
  access_log off;
  upstream provider { server 127.0.0.1:${provider}; keepalive 512; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://provider;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_buffering off;
    }
  }
}
`,
  );
  return { command: 'nginx', args: ['-c', settings, '-p', folder], port };
}

async function startRelay(provider: number, folder: string): Promise<Started> {
  const usage = join(folder, `usage-${await freePort()}`);
  await mkdir(usage);
  const limits = { requests_per_minute: 100_000, concurrency: 1000 };
  const budget = { tokens_per_day: 1e12, tokens_per_month: 1e12, requests_per_day: 1e9 };
  const keyed = (name: string) => ({ name, sha256: sha256Hex(name), limits });
  const settings = {
    listen: { host: '127.0.0.1', port: 0 },
    providers: { openai: { base_url: `http://127.0.0.1:${provider}/v1` } },
    concurrency: 1000,
    usage_folder: usage,
    keys: Array.from({ length: keys }, (_, at) => [
      keyed(`plain${at}`),
      { ...keyed(`budgeted${at}`), budget },
    ]).flat(),
  };
  const file = join(folder, 'relay.json');
  await writeFile(file, JSON.stringify(settings));
  return {
    command: process.execPath,
    args: [pathOf('../../../appliance/relay/node/main.ts')],
    env: { LANDFALL_RELAY_CONFIG: file, OPENAI_API_KEY: 'sk-bench-0123456789' },
  };
}

const portkey: Record<string, string> = {
  ...{ authorization: 'Bearer sk-bench-0123456789', 'x-portkey-provider': 'openai' },
};

async function startPortkey(provider: number, folder: string): Promise<Started> {
  // It does not start on Node 24.
  const node = `node-linux-${process.arch}@22.23.5`;
  const packages = ['@portkey-ai/gateway@1.15.2', node];
  await execa('npm', ['install', '--prefix', folder, '--silent', ...packages]);
  const port = await freePort();
  portkey['x-portkey-custom-host'] = `http://127.0.0.1:${provider}/v1`;
  const program = join(folder, 'node_modules/@portkey-ai/gateway/build/start-server.js');
  return {
    command: join(folder, `node_modules/node-linux-${process.arch}/bin/node`),
    args: [program, '--headless', `--port=${port}`],
    env: { TRUSTED_CUSTOM_HOSTS: '127.0.0.1,localhost', NODE_ENV: 'production' },
    port,
  };
}

async function startLitellm(provider: number, folder: string): Promise<Started> {
  const packages = await providePythonPackage('litellm[proxy]', '1.108.7');
  const port = await freePort();
  const settings = join(folder, 'litellm.yaml');
  const model = {
    model_name: 'gpt-5-mini',
    litellm_params: {
      ...{ model: 'openai/gpt-5-mini', api_key: 'sk-bench-0123456789' },
      api_base: `http://127.0.0.1:${provider}/v1`,
    },
  };
  const general = { master_key: 'sk-master-0123' };
  await writeFile(settings, JSON.stringify({ model_list: [model], general_settings: general }));
  const args = ['--config', settings, '--port', `${port}`, '--host', '127.0.0.1'];
  return {
    command: 'python3',
    args: [join(packages, 'bin/litellm'), ...args, '--num_workers', '1'],
    env: { PYTHONPATH: packages },
    port,
  };
}
