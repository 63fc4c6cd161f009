import { spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import type { ReleaseModel } from '#contract/bundle/release.ts';
import { memoryFor } from '#contract/sizes/model-memory.ts';
import { formatTable } from '#contract/text/table.ts';
import { headerShape } from '../../../builder/inputs/models/gguf/header-shape.ts';
import { readGgufHeader } from '../../../builder/inputs/models/gguf/read-header.ts';
import { readVocabulary } from '../../real/model/vocabulary.ts';
import { freePort } from '../../setup/free-port.ts';
import { provideLlamaSource } from '../../setup/real/llama-source.ts';
import { cacheFolder } from '../../setup/workspace.ts';
import { writeShapedGguf } from './shaped-gguf.ts';
import { shapes } from './shapes.ts';

/**
 * Compares the estimated memory of models with what a real Ollama takes: `npm run bench:memory [model…]`, with the
 * program in OLLAMA. It needs 10 GB of memory and 5 GB of disk.
 */

const contexts = [4096, 16_384, 65_536];
const program = process.env.OLLAMA ?? 'ollama';
/** Short: the program of the Go module proxy uses no vector instructions. */
const prompt = 'one two three four five six';

const folder = await mkdtemp(join(tmpdir(), 'landfall-memory-'));
const wanted = process.argv.slice(2);
try {
  const llama = await provideLlamaSource(cacheFolder(), console.error);
  const vocabulary = await readVocabulary(join(llama, 'models/ggml-vocab-qwen2.gguf'));
  const rows: string[][] = [];
  for (const [name, shape] of Object.entries(shapes)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const file = join(folder, 'model.gguf');
    const size = await writeShapedGguf(file, shape, vocabulary);
    const model = await modelOf(file, name, size);
    for (const cache of ['f16', 'q8_0'] as const) {
      await withOllama(cache, async (port) => {
        await create(port, file);
        for (const context of contexts) {
          const found = await load(port, context);
          const estimate = memoryFor(model, context, 1, { context_cache: cache });
          const mega = (bytes: number) => (bytes / 1e6).toFixed(0);
          const off = (bytes: number) => `${((estimate / bytes - 1) * 100).toFixed(1)} %`;
          const row = [name, cache, `${context}`, mega(estimate), mega(found.reported)];
          rows.push([
            ...row,
            off(found.reported),
            mega(found.resident),
            off(found.resident),
            mega(found.anonymous),
          ]);
          console.error(rows.at(-1)?.join(' '));
        }
      });
    }
  }
  const head = ['model', 'cache', 'context', 'estimate', 'api/ps', '', 'resident', '', 'anonymous'];
  console.log(formatTable([head, ...rows]));
} finally {
  await rm(folder, { recursive: true });
}

/** Returns a model as the builder enters it into a release. */
async function modelOf(file: string, name: string, size: number): Promise<ReleaseModel> {
  const handle = await open(file);
  const read = async (position: number, length: number) => {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
    return buffer.subarray(0, bytesRead);
  };
  const header = await readGgufHeader(read, size);
  await handle.close();
  const shape = headerShape(header, `${header.metadata.get('general.architecture')}`);
  return { name: `shape-of-${name}`, role: 'chat', size, manifest: null, ...(shape && { shape }) };
}

async function withOllama(cache: string, run: (port: number) => Promise<void>): Promise<void> {
  const port = await freePort();
  const models = join(folder, 'models');
  await mkdir(models, { recursive: true });
  const server = spawn(program, ['serve'], {
    stdio: ['ignore', 'ignore', openSync(join(folder, 'log'), 'a')],
    env: {
      ...{ PATH: process.env.PATH, HOME: folder, OLLAMA_MODELS: models, OLLAMA_NO_CLOUD: '1' },
      ...{ OLLAMA_HOST: `127.0.0.1:${port}`, OLLAMA_KV_CACHE_TYPE: cache },
      ...(cache === 'f16' ? {} : { OLLAMA_FLASH_ATTENTION: '1' }),
    },
  });
  try {
    await ready(port);
    await run(port);
  } finally {
    server.kill();
  }
}

async function ready(port: number): Promise<void> {
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/api/version`).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function create(port: number, file: string): Promise<void> {
  await writeFile(join(folder, 'Modelfile'), `FROM ${file}\nTEMPLATE {{ .Prompt }}\n`);
  const env = { HOME: folder, OLLAMA_HOST: `127.0.0.1:${port}` };
  await execa(program, ['create', 'shape', '-f', join(folder, 'Modelfile')], { env });
}

interface Answer {
  readonly models?: ReadonlyArray<{ readonly size: number; readonly context_length: number }>;
}

/** Loads the model, lets it read a prompt, and returns what it takes in bytes. */
async function load(port: number, context: number) {
  const ask = async (path: string, body?: object) => {
    const init = body && { method: 'POST', body: JSON.stringify(body) };
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, init);
    const found = (await answer.json()) as Answer;
    if (!answer.ok) throw new Error(JSON.stringify(found));
    return found;
  };
  const options = { num_ctx: context, num_predict: 1 };
  await ask('/api/generate', { model: 'shape', prompt, stream: false, options });
  const { models: [loaded] = [] } = await ask('/api/ps');
  if (loaded?.context_length !== context) throw new Error(`loaded: ${JSON.stringify(loaded)}`);
  const memory = await runnerMemory();
  await ask('/api/generate', { model: 'shape', keep_alive: 0 });
  return { reported: loaded.size, ...memory };
}

/** Returns the memory of the runner of this Ollama. */
async function runnerMemory(): Promise<{ resident: number; anonymous: number }> {
  const { stdout } = await execa('pgrep', ['-f', `runner .*${folder}`]);
  const [pid] = stdout.split('\n');
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const bytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) * 1024;
  return { resident: bytes('VmRSS'), anonymous: bytes('RssAnon') };
}
