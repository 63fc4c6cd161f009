import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { workFolder } from '../../../simulator/work-folder.ts';

/** Records its arguments. `show` succeeds from its second call on; `serve` waits for a `run`. */
const ollama = `#!/bin/sh
echo "$*" >> calls
case $1 in
  show) [ "$(grep -c ^show calls)" -ge 2 ] ;;
  serve) for _ in $(seq 200); do grep -q "$AWAITED" calls && exit 0; sleep 0.1; done; exit 1 ;;
esac
`;

async function start(model: string, awaited: string): Promise<string[]> {
  const folder = await workFolder();
  await writeFile(join(folder, 'ollama'), ollama);
  await chmod(join(folder, 'ollama'), 0o755);
  await writeFile(join(folder, 'secrets'), '');
  const { services } = parse(await readFile('compose/compose.yaml', 'utf8'));
  const [shell, option, script]: string[] = services.engine.entrypoint;
  const local = `${script}`.replaceAll('$$', '$').replace('/run/secrets/engine', './secrets');
  await execa(`${shell}`, [`${option}`, local], {
    cwd: folder,
    env: { PATH: `${folder}:${process.env.PATH}`, PRELOADED_MODEL: model, AWAITED: awaited },
  });
  return (await readFile(join(folder, 'calls'), 'utf8')).split('\n').slice(0, -1);
}

describe('the start of the inference engine', () => {
  it('loads the default model once it is installed, without a prompt', async () => {
    const calls = await start('qwen3:8b', '^run');
    expect(calls.filter((call) => !call.startsWith('show'))).toEqual(
      expect.arrayContaining(['serve', 'run qwen3:8b ']),
    );
  });

  it('loads no model on a server with hosted models only', async () => {
    expect(await start('', '^serve')).toEqual(['serve']);
  });
});
