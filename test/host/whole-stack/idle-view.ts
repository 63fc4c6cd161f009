import { expect, it } from 'vitest';
import type { WholeStack } from './whole-stack.ts';

/** Ten minutes of an idle server: each component is checked every ten seconds. */
const checks = 60;

const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;

/** Tests what the health checks of all components write into their logs. */
export function itStaysQuiet(stack: () => WholeStack): void {
  it('writes at most ten lines into the logs of all components in ten idle minutes', async () => {
    const { host } = stack().premises;
    const lines = async () =>
      Number(await host.output('for c in $(docker ps -q); do docker logs $c 2>&1; done | wc -l'));
    const format = '{{.Name}} {{json .Config.Healthcheck.Test}}';
    const found = await host.output(`docker inspect --format '${format}' $(docker ps -q)`);
    const before = await lines();
    await Promise.all(
      found.split('\n').map(async (line) => {
        const [name = '', ...rest] = line.split(' ');
        const [kind, ...words]: string[] = JSON.parse(rest.join(' '));
        const command = kind === 'CMD-SHELL' ? ['sh', '-c', ...words] : words;
        const check = ['docker', 'exec', name.slice(1), ...command].map(quoted).join(' ');
        await host.output(`for i in $(seq ${checks}); do ${check} >/dev/null || exit 1; done`, {
          limit: 600,
        });
      }),
    );
    expect((await lines()) - before).toBeLessThanOrEqual(10);
  });
}
