import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { provideLlama } from './llama.ts';

it.runIf(process.arch === 'x64')(
  'reports the error of npm if the package cannot be downloaded',
  async () => {
    const cache = await mkdtemp(join(tmpdir(), 'landfall-llama-'));
    vi.stubEnv('npm_config_registry', 'http://127.83.12.99:1/');
    vi.stubEnv('npm_config_fetch_retries', '0');
    vi.stubEnv('npm_config_cache', cache);
    try {
      await expect(provideLlama(cache, () => {})).rejects.toThrow(/ECONNREFUSED/);
    } finally {
      vi.unstubAllEnvs();
      await rm(cache, { recursive: true, force: true });
    }
  },
);
