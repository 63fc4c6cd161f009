import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startOnServer } from '../../host/commands/start-on-server.ts';
import { hostNeeds } from '../../host/host-needs.ts';
import type { FastHost } from '../../host/machine/fast-host.ts';
import { names, WholeStack } from '../../host/whole-stack/whole-stack.ts';
import { agentWeights } from './agent-model.ts';
import { runInOwnNetwork } from './own-network.ts';
import { provideClient } from './packages.ts';
import { newWord, oldWord, programs } from './programs.ts';
import { localContext } from './run-client.ts';

const distribution = 'debian13';
const given = hostNeeds(
  distribution,
  ...(['registryStorage', 'composePlugin', 'pebble', 'lego', 'ollama', 'llamaSource'] as const),
);
const [claudeCode] = programs;
// Without a full stop: the stand-in for Ollama generates after the last token of a prompt, which often is one.
const farewell = 'The flower was replaced as requested';

given.describe('a coding agent on a finished server, with a local model', () => {
  let folder: string;
  let file: string;
  let stack: WholeStack;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'landfall-walk-'));
    file = join(folder, 'notes.txt');
    await writeFile(file, `${oldWord}\n`);
    await mkdir(join(folder, 'home'));
    const replies = [...(claudeCode?.edit(file) ?? []), { text: farewell }];
    const chat = { name: 'agent:4b', ...(await agentWeights(given.llamaSource, replies)) };
    const site = { context: localContext };
    stack = await WholeStack.open({ ...given, distribution, chat, site }, () => {});
    await stack.comeUp();
    await useRealOllama(stack.premises.host);
    await provideClient('claude-code');
  });
  afterAll(async () => {
    await stack?.close();
    await rm(folder, { recursive: true });
  });

  it('edits a file with the lines that one command prints, within five minutes', async () => {
    const began = performance.now();
    const { host } = stack.premises;
    const command = 'relay client claude-code --yes';
    const { status, text } = await startOnServer(given.dependencies, host, command).end();
    expect(status).toBe(0);
    const root = join(folder, 'root.pem');
    await writeFile(root, await stack.pebble.root());
    const pasted = text.slice(text.indexOf('export '), text.indexOf('claude --model agent:4b'));
    expect(pasted).toContain(`https://${names.relay}/local\n`);
    const task = `Replace ${oldWord} by ${newWord} in notes.txt`;
    const { all } = await runInOwnNetwork(
      {
        text: `${pasted}claude --model agent:4b -p "${task}" --permission-mode acceptEdits`,
        cwd: folder,
        env: {
          ...(await provideClient('claude-code')),
          ...claudeCode?.variables,
          ...{ HOME: join(folder, 'home'), TERM: 'dumb', LANG: 'C.UTF-8' },
          NODE_EXTRA_CA_CERTS: root,
        },
      },
      { address: host.addresses.v4, port: 443, name: names.relay },
    );
    expect(all).toContain(farewell);
    expect(await readFile(file, 'utf8')).toBe(`${newWord}\n`);
    expect(performance.now() - began).toBeLessThan(300_000);
  });
});

/**
 * Replaces the stand-in for Ollama by the real program, in its container: the server does not start an image that the
 * release does not have.
 */
async function useRealOllama(host: FastHost): Promise<void> {
  const docker = `docker --host unix://${given.dependencies.engine}`;
  const { stdout: id } = await execa('bash', ['-c', `${docker} create ${given.ollama}`]);
  const { stdout } = await execa('bash', ['-c', `${docker} cp ${id}:/usr/bin/ollama - | tar -xO`], {
    encoding: 'buffer',
    maxBuffer: 2 ** 30,
  });
  await execa('bash', ['-c', `${docker} rm ${id}`]);
  // The container has a file system that only its host writes.
  const format = "'{{.GraphDriver.Data.MergedDir}}'";
  const root = await host.output(`docker inspect --format ${format} landfall-engine`);
  await host.put(`${root}/usr/bin/ollama`, Buffer.from(stdout), '0755');
  await host.output('docker restart landfall-engine');
  await host.waitFor('docker exec landfall-engine ollama list | grep agent:4b', 60);
}
